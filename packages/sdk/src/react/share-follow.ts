import { type Clock, isQuestionView, type QuestionView } from '@sandagent/core'

/** Follows a question until the returned function is called. */
export type Follow = (onView: (view: QuestionView) => void) => () => void

/** How the tabs of a browser agree and talk; those of the browser itself by default. */
export interface TabMeans {
  locks: Pick<LockManager, 'request'>
  openChannel: (name: string) => BroadcastChannel
}

/**
 * Follows a question once for all tabs of a browser that use the same name: one of them holds the connection and tells
 * the others. Over HTTP/1.1 a browser opens six connections to a host, and a few tabs that held one each would leave
 * none for the answer. Where tabs cannot agree, each follows for itself.
 */
export function shareFollow(
  name: string,
  follow: Follow,
  onView: (view: QuestionView) => void,
  clock: Clock,
  means: TabMeans | null = meansOfBrowser(),
): () => void {
  if (!means) return follow(onView)
  const channel = means.openChannel(name)
  const leaving = new AbortController()
  let tellLatest = (): void => {}

  const lead = (): Promise<void> =>
    new Promise((resolve) => {
      const stop = follow((view) => {
        const cameAt = clock.now()
        tellLatest = () => channel.postMessage(aged(view, clock.now() - cameAt))
        tellLatest()
        onView(view)
      })
      leaving.signal.addEventListener('abort', () => {
        stop()
        resolve()
      })
    })

  channel.onmessage = ({ data }) => {
    if (isQuestionView(data)) onView(data)
    else tellLatest()
  }
  channel.postMessage('What is new?')
  // Refused only when this tab leaves before its turn.
  means.locks.request(name, { signal: leaving.signal }, lead).catch(() => {})
  return () => {
    leaving.abort()
    channel.close()
  }
}

function meansOfBrowser(): TabMeans | null {
  const { locks } = globalThis.navigator ?? {}
  // Browsers have locks on secure pages only.
  return locks ? { locks, openChannel: (name) => new BroadcastChannel(name) } : null
}

/** A view that was made some milliseconds ago, as it would be made now. */
const aged = (view: QuestionView, ms: number): QuestionView => ({
  ...view,
  remainingMs: view.remainingMs === null ? null : Math.max(0, view.remainingMs - ms),
})
