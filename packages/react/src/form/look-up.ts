import { type AnswerTransport, type QuestionView, systemClock } from '@sandagent/core'

/** A host that knows a question says so at once; of one it does not know it says nothing. */
const LOOK_MS = 5_000

/** Asks once how a question ended; the returned function gives up. A question that is still open is not told. */
export function lookUp(
  transport: AnswerTransport,
  toolCallId: string,
  onView: (view: QuestionView) => void,
): () => void {
  const stop = transport.watch?.(toolCallId, (view) => {
    if (view.state === 'open') return
    onView(view)
    // Not from within the call that begins it.
    queueMicrotask(end)
  })
  const stopTimer = systemClock.after(LOOK_MS, () => end())
  const end = (): void => {
    stopTimer()
    stop?.()
  }
  return end
}
