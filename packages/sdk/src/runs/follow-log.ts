import type { Clock } from '@sandagent/core'
import { createWakeSignal } from '@sandagent/files/internal'
import { attemptPaths } from '../run-records/run-paths.ts'
import type { RunRecord } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'

/** How much is read of a log that outgrew its limit: a run is stopped for that, and may have said so. */
const TOLERANCE_BYTES = 1024 * 1024

/** How often a silent log is looked at, and whether its runner is still there, in milliseconds. */
const LOOK_MS = 500

/**
 * The whole events of a run's log: those that are there, then each as it comes, until the last one, or until the runner
 * is gone without it, or the signal aborts. What is beyond the log's limit is not read: a program can make its log as long
 * as it likes, at no cost, and who reads it would wait for an event that never ends.
 */
export async function* followLog(
  sandbox: RunSandbox,
  { runId, attempt, process, maxLogBytes }: RunRecord,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<string[], void> {
  const { files, detached } = sandbox
  const { folder, stream } = attemptPaths(sandbox, runId, attempt)
  const cut = createEventCutter()
  const wakeSignal = createWakeSignal(signal)
  const stopWatching = files.watch?.(folder, wakeSignal.ring)
  let cancelTimer = (): void => {}
  try {
    for (let offset = 0; !signal.aborted; ) {
      // Asked before the log is read: what a runner prints last is there when it is gone.
      const isRunning = await detached.isRunning(process)
      const piece = offset < maxLogBytes + TOLERANCE_BYTES ? await files.readFrom(stream, offset) : null
      if (piece && piece.length > 0) {
        offset += piece.length
        const events = cut(piece)
        const done = events.indexOf(DONE_EVENT)
        yield done === -1 ? events : events.slice(0, done + 1)
        if (done !== -1) return
      } else if (isRunning) {
        cancelTimer = clock.after(LOOK_MS, wakeSignal.ring)
        await wakeSignal.sleep()
        cancelTimer()
      } else return
    }
  } finally {
    cancelTimer()
    stopWatching?.()
  }
}
