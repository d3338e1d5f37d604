import type { ServerContext } from '@modelcontextprotocol/server'
import type { Clock } from '@sandagent/core'

/**
 * Reports progress while work goes on, if the client asked for it: at once, and then every `everyMs` milliseconds.
 * Clients that reset their time limit on progress (`resetTimeoutOnProgress`) wait as long as the person needs.
 */
export async function withProgress<T>(
  { mcpReq }: ServerContext,
  { everyMs, clock, place }: { everyMs: number; clock: Clock; place?: string | undefined },
  work: () => Promise<T>,
): Promise<T> {
  const progressToken = mcpReq._meta?.progressToken
  if (progressToken === undefined) return work()
  const message = `Waiting for the user to answer${place === undefined ? '' : ` in ${place}`}`
  let progress = 0
  let cancelTimer = (): void => {}
  const report = (): void => {
    progress += 1
    const params = { progressToken, progress, message }
    // A client that has gone is noticed elsewhere, by the signal of its request.
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
