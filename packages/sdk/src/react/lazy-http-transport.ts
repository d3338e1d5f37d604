import type { AnswerTransport } from '@sandagent/core'
import type { HttpTransportOptions } from './http-transport.ts'

/** Its own module, so that bundlers put what speaks HTTP into a file of its own. */
const load = (): Promise<typeof import('./http-transport-chunk.ts')> => import('./http-transport-chunk.ts')

/** `httpTransport` that comes to the page with the first question that waits, and not at all beside another transport. */
export function lazyHttpTransport(current: () => HttpTransportOptions): AnswerTransport {
  const transport = async (): Promise<AnswerTransport> => (await load()).lateHttpTransport(current)
  return {
    send: async (submission) => (await transport()).send(submission),
    watch(toolCallId, onView) {
      let stopped = false
      let stop = (): void => {
        stopped = true
      }
      void transport().then(({ watch }) => {
        if (!stopped && watch) stop = watch(toolCallId, onView)
      })
      return () => stop()
    },
  }
}
