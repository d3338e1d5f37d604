import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { openQuestions } from '../state/entries.ts'

/** The buttons below a question: next or send, back, skip, decline. Add a button here. */
export function Actions({ form }: FormPartProps): ReactElement {
  const { ask, labels, components, isReview, isStepwise, step } = form
  const { Button } = components
  const { questions } = ask
  const question = questions[step]
  const isPartial = isReview && openQuestions(ask).length > 0
  return (
    <div className="sa-actions">
      {isStepwise && !isReview ? (
        <Button look="primary" onClick={form.goOn}>
          {step === questions.length - 1 ? labels.review : labels.next}
        </Button>
      ) : (
        <Button look="primary" onClick={() => form.submit({ partial: isPartial })}>
          {isPartial ? labels.sendPartial : labels.send}
        </Button>
      )}
      {isStepwise && step > 0 && <Button onClick={() => form.goTo(step - 1)}>{labels.back}</Button>}
      {isStepwise && question && (
        <Button look="quiet" onClick={() => form.skip(question)}>
          {labels.skip}
        </Button>
      )}
      <Button look="quiet" className="sa-end" onClick={() => form.setDeclining(true)}>
        {labels.decline}
      </Button>
    </div>
  )
}
