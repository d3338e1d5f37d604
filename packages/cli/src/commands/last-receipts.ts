import { setTimeout as sleep } from 'node:timers/promises'
import { receiptsWritten } from '@sandagent/runner'

/** How long the command waits at its end for a receipt that could not be written, in milliseconds. */
const LONGEST_MS = 2000

/** Waits a while for receipts that are tried again: nobody tries once the process is gone. */
export async function lastReceipts(): Promise<void> {
  const stop = new AbortController()
  const longest = sleep(LONGEST_MS, undefined, { signal: stop.signal }).catch(() => {})
  await Promise.race([receiptsWritten(), longest])
  stop.abort()
}
