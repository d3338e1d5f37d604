// Reads a run's stream as a host does, and sends what that cost.

import { setTimeout as sleep } from 'node:timers/promises'
import { LocalSandbox, streamRun } from '@sandagent/sdk'

export interface ReplayOrder {
  workdir: string
  runId: string
  /** How many read at once. */
  readers: number
  /** How long each reader waits after each piece, in milliseconds. */
  pauseMs: number
  /** They stop after so many milliseconds; `null` to read to the end. */
  stopMs: number | null
}

export interface ReplayCost {
  seconds: number
  /** The most memory that the process ever had. */
  rssMb: number
}

const { workdir, runId, readers, pauseMs, stopMs }: ReplayOrder = JSON.parse(process.argv[2] ?? '')
const sandbox = new LocalSandbox({ workdir, isolation: 'none' })

const startedAt = performance.now()
await Promise.all(Array.from({ length: readers }, () => readStream()))
const cost: ReplayCost = {
  seconds: (performance.now() - startedAt) / 1000,
  rssMb: process.resourceUsage().maxRSS / 1024,
}
process.send?.(cost, () => process.exit())

async function readStream(): Promise<void> {
  const stop = stopMs === null ? undefined : AbortSignal.timeout(stopMs)
  for await (const piece of await streamRun(sandbox, runId, { signal: stop })) {
    void piece
    if (pauseMs > 0) await sleep(pauseMs)
    if (stop?.aborted) break
  }
}
