import { type ToolPart, useAskUserQuestion } from '@sandagent/sdk/react'
import { type ReactElement, useEffect, useId, useRef } from 'react'
import { QuestionForm } from './question-form.tsx'
import { QuestionSummary } from './question-summary.tsx'
import { statusText } from './status-text.ts'

/** A question of the agent: a form while it waits, what came of it afterwards. */
export function QuestionCard({ part }: { part: ToolPart }): ReactElement {
  const ask = useAskUserQuestion({ part })
  const titleId = useId()
  const statusRef = useRef<HTMLParagraphElement>(null)
  const wasSent = useRef(false)

  // The form goes away with the focus in it; the status line takes it over, but only after the person's own sending.
  useEffect(() => {
    if (!ask.isWaitingForInput && wasSent.current) statusRef.current?.focus({ preventScroll: true })
  }, [ask.isWaitingForInput])

  const noteSent = (): void => {
    wasSent.current = true
  }

  return (
    <section className="question-card" data-status={ask.status} aria-labelledby={titleId}>
      <h2 id={titleId}>
        {ask.isWaitingForInput ? 'The agent asks' : 'The agent asked'}
        {ask.questions.length > 1 && <span className="quiet"> {ask.questions.length} questions</span>}
      </h2>
      {ask.isWaitingForInput || ask.status === 'streaming' ? (
        <QuestionForm ask={ask} callId={part.toolCallId} onSend={noteSent} />
      ) : (
        <QuestionSummary ask={ask} />
      )}
      <p role="status" className="status" ref={statusRef} tabIndex={-1}>
        {statusText(ask)}
      </p>
    </section>
  )
}
