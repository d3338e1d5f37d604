import { isEnded } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { AskerTag } from './asker-tag.tsx'

/** Who asks, and which question is shown. */
export function Title({ form }: FormPartProps): ReactElement {
  const { ask, labels, isStepwise, isReview, step } = form
  const { questions } = ask
  const isOpen = ask.status !== 'sent' && !isEnded(ask.status)
  const place =
    isOpen && isStepwise && !isReview
      ? labels.questionOf(step + 1, questions.length)
      : labels.questions(questions.length)
  return (
    <>
      <span>{isOpen ? labels.asks : labels.asked}</span>
      <AskerTag asker={ask.asker} labels={labels} />
      {questions.length > 1 && <span className="sa-quiet">{place}</span>}
    </>
  )
}
