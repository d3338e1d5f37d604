import type { ReactElement } from 'react'
import type { AskingBackProps } from '../../state/ask-form.ts'
import { onDemand } from '../../state/on-demand.tsx'

type Part = (props: AskingBackProps) => ReactElement | null

/** Loaded where the agent takes questions. */
export const AskBack: Part = onDemand<AskingBackProps>(() =>
  import('./ask-back.tsx').then(({ AskBack }) => AskBack),
)

/** Loaded for a call that follows another. */
export const Thread: Part = onDemand<AskingBackProps>(() =>
  import('../question/thread.tsx').then(({ Thread }) => Thread),
)
