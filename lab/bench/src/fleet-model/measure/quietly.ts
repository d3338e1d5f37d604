import { availableParallelism } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { machineCpuMs } from '../../lib/cpu-time.ts'
import { nowMs } from './now-ms.ts'

/** Other programs may use so much of the machine. */
const MOST = 0.1
const TRIES = 3
/** How long it waits at most for other programs to end. */
const WAIT_MS = 8_000

/** Measures while other programs use little of the machine. If they never do, the least disturbed attempt counts. */
export async function quietly<T extends { othersShare: number }>(measure: () => Promise<T>): Promise<T> {
  let best: T | null = null
  for (let tries = 0; tries < TRIES && !(best && best.othersShare <= MOST); tries++) {
    await whenQuiet()
    const found = await measure()
    if (!best || found.othersShare < best.othersShare) best = found
  }
  return best as T
}

async function whenQuiet(): Promise<void> {
  const until = nowMs() + WAIT_MS
  while (nowMs() < until) {
    const [at, cpu] = [nowMs(), machineCpuMs()]
    await sleep(500)
    if ((machineCpuMs() - cpu) / (nowMs() - at) / availableParallelism() <= MOST) return
  }
}
