import { type AskSession, sleep, systemClock } from '@sandagent/core/internal'

/** How long a question is held back for what can be allowed beyond its call, in milliseconds. */
const FIRST_VIEW_MS = 1_000

/** Waits for what the host knows of a question. One that is slow does not keep the question from the person. */
export async function firstView(session: AskSession, signal: AbortSignal): Promise<void> {
  const seen = new AbortController()
  const look = (): void => {
    if (session.getSnapshot().view) seen.abort()
  }
  const stop = session.subscribe(look)
  look()
  await sleep(systemClock, FIRST_VIEW_MS, AbortSignal.any([signal, seen.signal]))
  stop()
}
