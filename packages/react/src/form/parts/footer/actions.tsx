import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { entryOf, openQuestions, wouldDecline } from '../../state/entries.ts'
import { AskBack } from './asking-back.tsx'

/** The buttons in the footer: decline, back, and next or send. Add a button here. */
export function Actions({ form }: FormPartProps): ReactElement {
  const { ask, labels, components, isDeclining, isReview, isStepwise, step } = form
  const { Button } = components
  const { questions } = ask
  if (isDeclining) return <DeclineActions form={form} />
  const isPartial = isReview && openQuestions(ask).some((each) => !entryOf(ask, each).isAnswered)
  const shown = isStepwise ? questions.slice(step, step + 1) : questions
  // The button is not what sends, as long as a pick does.
  const isByPick = !isReview && shown.some((each) => form.sendsOnPick(each) && !entryOf(ask, each).isAnswered)
  const look = isByPick ? 'plain' : 'primary'
  return (
    <div className="sa-actions">
      <Button data-decision="deny" onClick={() => form.setDeclining(true)}>
        {labels.decline}
      </Button>
      {ask.takesQuestions && <AskBack form={form} />}
      {isStepwise && step > 0 && <Button onClick={() => form.goTo(step - 1)}>{labels.back}</Button>}
      {isStepwise && !isReview ? (
        <Button look={look} onClick={form.goOn}>
          {step === questions.length - 1 ? labels.review : labels.next}
        </Button>
      ) : (
        // What declines is called so.
        !wouldDecline(ask, isPartial) && (
          <Button look={look} data-sends="" onClick={() => form.submit({ partial: isPartial })}>
            {isPartial ? labels.sendPartial : labels.send}
          </Button>
        )
      )}
    </div>
  )
}

function DeclineActions({ form }: FormPartProps): ReactElement {
  const { labels, components } = form
  const { Button } = components
  return (
    <div className="sa-actions">
      <Button data-safe="" onClick={() => form.setDeclining(false)}>
        {labels.keepAnswering}
      </Button>
      <Button look="primary" data-decision="deny" onClick={form.decline}>
        {labels.decline}
      </Button>
    </div>
  )
}
