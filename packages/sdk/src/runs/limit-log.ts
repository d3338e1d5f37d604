import { type Clock, sleep } from '@sandagent/core/internal'
import { attemptPaths } from '../run-records/run-paths.ts'
import type { RunRecord } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { stopAttempt } from './stop-run.ts'

const LOOK_MS = 500

/** How long a run that outgrew its limit may take to end by itself, in milliseconds. */
const GRACE_MS = 500

/** Stops a run whose outputs outgrow the limit. It checks at intervals, until the signal aborts. */
export async function limitLog(
  sandbox: RunSandbox,
  record: RunRecord,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): Promise<void> {
  const { runId, attempt, process, maxLogBytes } = record
  const { stream, errors } = attemptPaths(sandbox, runId, attempt)
  while (!signal.aborted) {
    await sandbox.detached.until?.(process, { files: [stream, errors], bytes: maxLogBytes, signal })
    if (signal.aborted) return
    const stats = await Promise.all([stream, errors].map((path) => sandbox.files.stat(path)))
    const bytes = stats.reduce((sum, stat) => sum + (stat?.size ?? 0), 0)
    if (bytes > maxLogBytes) {
      await stopAttempt(sandbox, record, {
        reason: `It printed more than ${maxLogBytes} bytes`,
        graceMs: GRACE_MS,
        clock,
      })
      return
    }
    if (sandbox.detached.until) return // The run has ended.
    await sleep(clock, LOOK_MS, signal)
  }
}
