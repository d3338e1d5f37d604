import type { ReactElement } from 'react'
import type { FormPartProps } from '../../../state/ask-form.ts'
import { onDemand } from '../../../state/on-demand.tsx'
import type { FilesProps } from './files.tsx'

const load = () => import('./files.tsx')

/** Loaded where a question takes files. */
export const Files: (props: FilesProps) => ReactElement | null = onDemand<FilesProps>(() =>
  load().then(({ Files }) => Files),
)

/** Comes with it, once for the whole form. */
export const FormUploads: (props: FormPartProps) => ReactElement | null = onDemand<FormPartProps>(() =>
  load().then(({ FormUploads }) => FormUploads),
)
