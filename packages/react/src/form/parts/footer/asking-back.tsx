import type { ReactElement } from 'react'
import type { AskingBackProps } from '../../state/ask-form.ts'
import { onDemand } from '../../state/on-demand.tsx'

/** Loaded where the agent takes questions. */
export const AskBack: (props: AskingBackProps) => ReactElement | null = onDemand<AskingBackProps>(() =>
  import('./ask-back.tsx').then(({ AskBack }) => AskBack),
)
