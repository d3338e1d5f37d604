import type { Clock } from '@sandagent/core/internal'
import { MAX_LINE_BYTES } from '../protocol/limits.ts'

/** How long frames of a request may come after its end, in milliseconds. They were on their way. */
const LATE_MS = 60_000

/** How many bytes of them, for a request that the host has cancelled, and for one that has its reply. */
const CANCELLED_BYTES = 2 * MAX_LINE_BYTES
const REPLIED_BYTES = 64 * 1024

/** Knows which frames of ended requests may still come over a connection. A relay that says more than that floods its host. */
export function createLateFrames(clock: Clock) {
  const ended = new Map<number, { until: number; bytes: number }>()
  const forget = (): void => {
    for (const [id, { until }] of ended) {
      if (until > clock.now()) return
      ended.delete(id)
    }
  }
  return {
    expect(id: number, isReplied: boolean): void {
      forget()
      ended.set(id, { until: clock.now() + LATE_MS, bytes: isReplied ? REPLIED_BYTES : CANCELLED_BYTES })
    },
    take(id: number, size: number): boolean {
      forget()
      const request = ended.get(id)
      if (!request) return false
      request.bytes -= size
      return request.bytes >= 0
    },
    isEmpty(): boolean {
      forget()
      return ended.size === 0
    },
    clear: (): void => ended.clear(),
  }
}
