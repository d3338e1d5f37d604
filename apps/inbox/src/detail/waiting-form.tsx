import type { QuestionView } from '@sandagent/react'
import { type ReactElement, useEffect, useRef, useState } from 'react'
import { answerUrl } from '../data/api.ts'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { useArrival } from '../keys/arrival.ts'
import { outboxTransport } from '../outbox/outbox-transport.ts'
import { QuestionForm } from './question-form.tsx'

export interface WaitingFormProps {
  entry: WaitingEntry
  /** Called when the person has decided: the outbox sends it. */
  onDecided: () => void
  /** Called with the key of a question that is to be shown again, because its answer was taken back. */
  onBack: (key: string) => void
  /** Called when something else is asked under the same id. */
  onReplaced: (view: QuestionView) => void
  onLeave: () => void
}

/**
 * The form of a question in the inbox. Its key changes with what is asked: each question has to arrive before it takes keys.
 */
export function WaitingForm({ entry, onLeave, ...handlers }: WaitingFormProps): ReactElement {
  useArrival(entry.key)
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const [transport] = useState(() =>
    outboxTransport(entry, {
      onDecided: () => latest.current.onDecided(),
      onBack: (key) => latest.current.onBack(key),
      onReplaced: (view) => latest.current.onReplaced(view),
    }),
  )
  return (
    <QuestionForm
      sandboxId={entry.sandboxId}
      question={entry.question}
      // The outbox has the pause in which a pick can be taken back.
      connection={{
        transport,
        // Where the files of an answer are sent and read.
        answerEndpoint: answerUrl(entry.sandboxId),
        autoSubmit: 'immediately',
      }}
      onLeave={onLeave}
    />
  )
}
