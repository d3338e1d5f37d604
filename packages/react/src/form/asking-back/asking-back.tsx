import type { ReactElement } from 'react'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'
import type { AskComponents } from '../state/ask-form.ts'
import { onDemand } from '../state/on-demand.tsx'
import type { AskBackLabels } from './ask-back-labels.ts'

/** What a form and an approval have for asking back. */
export interface AskingBackProps {
  form: {
    ask: Pick<UseAskUserQuestionReturn, 'kind' | 'thread' | 'askBack'>
    labels: Partial<AskBackLabels>
    components: Pick<AskComponents, 'Button'>
  }
}

type Part = (props: AskingBackProps) => ReactElement

/** Loaded where the agent takes questions. */
export const AskBack: Part = onDemand<AskingBackProps>(() =>
  import('./ask-back.tsx').then(({ AskBack }) => AskBack),
)

/** Loaded for a call that follows another. */
export const Thread: Part = onDemand<AskingBackProps>(() =>
  import('./thread.tsx').then(({ Thread }) => Thread),
)
