import { setTimeout as sleep } from 'node:timers/promises'
import { receiptsWritten } from '@sandagent/runner'

const LONGEST_MS = 2000

/** Waits a while for unwritten receipts. Nobody writes them once the process has ended. */
export async function lastReceipts(): Promise<void> {
  const stop = new AbortController()
  const longest = sleep(LONGEST_MS, undefined, { signal: stop.signal }).catch(() => {})
  await Promise.race([receiptsWritten(), longest])
  stop.abort()
}
