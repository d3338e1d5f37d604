import { questionTitle } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'

interface AnnouncementProps extends FormPartProps {
  /** Screen readers announce what changes in a place that was there before. */
  isOn: boolean
}

/** Tells screen readers once that a question has arrived, and at each step which question is shown. */
export function Announcement({ form, isOn }: AnnouncementProps): ReactElement {
  const { ask, labels, isStepwise, isReview, step } = form
  const { length } = ask.questions
  const question = ask.questions[isStepwise ? step : 0]
  const place = isStepwise ? labels.questionOf(step + 1, length) : labels.asks
  return (
    <p className="sa-hidden" aria-live="polite" aria-atomic="true">
      {isOn && !isReview && question && labels.about(place, questionTitle(question))}
    </p>
  )
}
