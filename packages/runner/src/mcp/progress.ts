import type { ServerContext } from '@modelcontextprotocol/server'
import type { Clock } from '@sandagent/core'

/**
 * Reports progress during work, if the client wants it: at once, and then every `everyMs` milliseconds. A client with
 * `resetTimeoutOnProgress` waits as long as the person needs.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  { everyMs, clock, place }: { everyMs: number; clock: Clock; place?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  const message = waitingText(place)
  let progress = 0
  let cancelTimer = (): void => {}
  const report = (): void => {
    progress += 1
    const params = { progressToken, progress, message }
    // The signal of the request tells when the client has gone.
    mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
    cancelTimer = clock.after(everyMs, report)
  }
  report()
  try {
    return await work()
  } finally {
    cancelTimer()
  }
}

/** What a client shows while a question waits. */
export const waitingText = (place: string | undefined): string =>
  `Waiting for the user to answer${place === undefined ? '' : ` in ${place}`}`
