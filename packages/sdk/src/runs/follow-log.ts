import type { Clock } from '@sandagent/core'
import { createAlarm } from '@sandagent/files'
import type { RunSandbox } from '../sandbox.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'
import { attemptPaths } from './run-paths.ts'
import type { RunRecord } from './run-records.ts'

/** How often a silent log is looked at, and whether its runner is still there, in milliseconds. */
const LOOK_MS = 500

/**
 * The whole events of a run's log: those that are there, then each as it comes, until the last one, or until the runner
 * is gone without it, or the signal aborts.
 */
export async function* followLog(
  { files, detached }: RunSandbox,
  { runId, attempt, process }: RunRecord,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<string[], void> {
  const { folder, stream } = attemptPaths(runId, attempt)
  const cut = createEventCutter()
  const alarm = createAlarm(signal)
  const stopWatching = files.watch?.(folder, alarm.ring)
  let cancelTimer = (): void => {}
  try {
    for (let offset = 0; !signal.aborted; ) {
      // Asked before the log is read: what a runner prints last is there when it is gone.
      const isRunning = await detached.isRunning(process)
      const piece = await files.readFrom(stream, offset)
      if (piece && piece.length > 0) {
        offset += piece.length
        const events = cut(piece)
        const done = events.indexOf(DONE_EVENT)
        yield done === -1 ? events : events.slice(0, done + 1)
        if (done !== -1) return
      } else if (isRunning) {
        cancelTimer = clock.after(LOOK_MS, alarm.ring)
        await alarm.sleep()
        cancelTimer()
      } else return
    }
  } finally {
    cancelTimer()
    stopWatching?.()
  }
}
