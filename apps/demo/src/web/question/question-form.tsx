import type { UseAskUserQuestionReturn } from '@sandagent/sdk/react'
import { type FormEvent, type ReactElement, useState } from 'react'
import { QuestionError } from './question-error.tsx'
import { QuestionField } from './question-field.tsx'

interface QuestionFormProps {
  ask: UseAskUserQuestionReturn
  callId: string
  /** Called when the person sends or declines by their own hand. */
  onSend: () => void
}

/** The questions of one call, to be answered together. */
export function QuestionForm({ ask, callId, onSend }: QuestionFormProps): ReactElement {
  const [isDeclining, setIsDeclining] = useState(false)
  const isBusy = ask.isSubmitting || ask.status === 'streaming'

  const submit = (event: FormEvent): void => {
    event.preventDefault()
    onSend()
    ask.submit()
  }
  const decline = (): void => {
    onSend()
    ask.cancel()
  }

  return (
    <form onSubmit={submit} noValidate>
      {ask.questions.map((question) => (
        <QuestionField key={question.id} question={question} ask={ask} callId={callId} isDisabled={isBusy} />
      ))}
      <QuestionError ask={ask} />
      {isDeclining ? (
        <fieldset className="actions">
          <legend>Decline, and leave out what you entered?</legend>
          <button type="button" className="primary" onClick={decline}>
            Decline
          </button>
          <button type="button" className="plain" onClick={() => setIsDeclining(false)}>
            Keep answering
          </button>
        </fieldset>
      ) : (
        <div className="actions">
          <button type="submit" className="primary" disabled={isBusy}>
            Send answer
          </button>
          <button
            type="button"
            className="plain"
            disabled={isBusy}
            onClick={() => (ask.answeredCount > 0 ? setIsDeclining(true) : decline())}
          >
            Decline
          </button>
          {ask.deadline !== null && <Deadline at={ask.deadline} />}
        </div>
      )}
    </form>
  )
}

const Deadline = ({ at }: { at: number }): ReactElement => (
  <span className="quiet">
    waits until <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>
  </span>
)
