import type { QuestionView } from '@sandagent/core/internal'
import { type AnswerTransport, createHttpTransport } from '@sandagent/react'
import { answerUrl } from '../data/api.ts'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { decide, takenBackOf } from './outbox.ts'

interface OutboxTransportOptions {
  /** Called when an answer was taken over: the form is not needed any more. */
  onDecided: () => void
  /** Called with the key of a question that is to be shown again. */
  onBack: (key: string) => void
  /** Called when something else is asked under the same id: the person has not seen that yet. */
  onReplaced: (view: QuestionView) => void
}

/**
 * A form's way to the host. It shows at once what the list knows of the question. What a person decided goes to the outbox. For
 * the form it is sent then.
 */
export function outboxTransport(
  entry: WaitingEntry,
  { onDecided, onBack, onReplaced }: OutboxTransportOptions,
): AnswerTransport {
  const http = createHttpTransport({ answerEndpoint: answerUrl(entry.sandboxId) })
  return {
    async send(answer) {
      if (answer.status === 'pending') return http.send(answer)
      // First the form learns that it is sent: else it would keep the answer, and send it when it is shown again.
      setTimeout(() => {
        decide([{ entry, answer }], onBack)
        onDecided()
      })
      return {}
    },
    subscribe(toolCallId, onView, ...others) {
      onView(seen(entry))
      const isSame = ({ questionDigest, state }: QuestionView): boolean =>
        state !== 'open' || questionDigest === entry.question.questionDigest
      return (
        http.subscribe?.(toolCallId, (view) => (isSame(view) ? onView(view) : onReplaced(view)), ...others) ??
        (() => {})
      )
    },
  }
}

/** The question as the list has it, with what the person took back as their draft. */
function seen({ key, question, dueAt }: WaitingEntry): QuestionView {
  const responses = takenBackOf(key)
  return {
    ...question,
    remainingMs: dueAt === null ? null : Math.max(0, dueAt - Date.now()),
    // The host counts what was taken back as the next write.
    ...(responses && { responses, revision: question.revision + 1 }),
  }
}
