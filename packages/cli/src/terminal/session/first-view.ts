import { type AskSession, sleep, systemClock } from '@sandagent/core/internal'

/** How long a question is held back for what can be allowed beyond its call, in milliseconds. */
const FIRST_VIEW_MS = 1_000

/** Waits for what the host knows of a question. One that is slow does not keep the question from the person. */
export async function firstView(session: AskSession, signal: AbortSignal): Promise<void> {
  if (session.getSnapshot().view) return
  const seen = new AbortController()
  const stop = onFirstView(session, () => seen.abort())
  await sleep(systemClock, FIRST_VIEW_MS, AbortSignal.any([signal, seen.signal]))
  stop()
}

/**
 * Calls back when the host has said what it knows of a question, unless it has said so before. The returned function ends this.
 */
export function onFirstView(session: AskSession, listener: () => void): () => void {
  if (session.getSnapshot().view) return () => {}
  const stop = session.subscribe(() => {
    if (!session.getSnapshot().view) return
    stop()
    listener()
  })
  return stop
}
