import type { AnswerTransport } from '@sandagent/core'
import type { HttpTransportOptions } from './http-transport.ts'
import { loadHostConnection } from './lazy-link.ts'

/** `httpTransport` that comes to the page with its first use. */
export function lazyHttpTransport(current: () => HttpTransportOptions): AnswerTransport {
  const transport = async (): Promise<AnswerTransport> =>
    (await loadHostConnection()).lazyHttpTransport(current)
  return {
    send: async (submission) => (await transport()).send(submission),
    watch(toolCallId, onView, onRefused) {
      let stopped = false
      let stop = (): void => {
        stopped = true
      }
      // Where it cannot be had, nobody tells.
      transport().then(
        ({ watch }) => {
          if (!stopped && watch) stop = watch(toolCallId, onView, onRefused)
        },
        () => {},
      )
      return () => stop()
    },
  }
}
