import type { ReactElement } from 'react'
import { onDemand } from '../../../state/on-demand.tsx'
import type { FilesProps } from './files.tsx'

/** Loaded where a question takes files. */
export const Files: (props: FilesProps) => ReactElement | null = onDemand<FilesProps>(() =>
  import('./files.tsx').then(({ Files }) => Files),
)
