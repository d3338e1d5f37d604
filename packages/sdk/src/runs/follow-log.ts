import { type Clock, createWakeSignal } from '@sandagent/core/internal'
import { attemptPaths } from '../run-records/run-paths.ts'
import { isRunning, type RunRecord, sameStart } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'

/** How much is read beyond a log's limit: the runner may still report that it was stopped for it. */
const TOLERANCE_BYTES = 1024 * 1024

/** How much is read at a time. Each piece costs one opening of the file, and a slow reader holds a few pieces. */
const PIECE_BYTES = { quick: 64 * 1024, slow: 16 * 1024 }

/** A reader that takes longer for a piece is slow, in milliseconds. */
const QUICK_MS = 10

/** How often a silent log and its runner are checked, in milliseconds. */
const LOOK_MS = 500

/**
 * The events of a run's log, as {@link createEventCutter} cuts them: those that exist, then, with `follow`, each new one. It
 * ends after the last event, with the runner, or when the signal aborts. A program can make its log as long as it likes, so it
 * is not read beyond its limit.
 */
export async function* followLog(
  sandbox: RunSandbox,
  record: RunRecord,
  { follow, signal, clock }: { follow: boolean; signal: AbortSignal; clock: Clock },
): AsyncGenerator<string[], void> {
  const { files, detached } = sandbox
  const { runId, attempt, process, maxLogBytes } = record
  const { folder, stream } = attemptPaths(sandbox, runId, attempt)
  const cut = createEventCutter()
  // A process on this machine may end a run and go on with other work.
  const asItIs = async () => (detached.until ? record : sameStart(sandbox, record))
  const wakeSignal = createWakeSignal(signal)
  const stopWatching = detached.until ? undefined : files.watch?.(folder, wakeSignal.ring)
  let cancelTimer = (): void => {}
  try {
    let hasEnded = false
    let pace: keyof typeof PIECE_BYTES = 'slow'
    for (let offset = 0; !signal.aborted; ) {
      const isReadable = offset < maxLogBytes + TOLERANCE_BYTES
      const piece = isReadable ? await files.readFrom(stream, offset, PIECE_BYTES[pace]) : null
      if (piece && piece.length > 0) {
        offset += piece.length
        const events = cut(piece)
        const done = events.indexOf(DONE_EVENT)
        const givenAt = clock.now()
        yield done === -1 ? events : events.slice(0, done + 1)
        if (done !== -1) return
        pace = clock.now() - givenAt < QUICK_MS ? 'quick' : 'slow'
      } else if (hasEnded || !follow) return
      else if (await isRunning(detached, await asItIs())) {
        if (detached.until) {
          const bytes = isReadable ? offset : Number.MAX_SAFE_INTEGER
          await detached.until(process, { files: [stream], bytes, signal })
          continue
        }
        cancelTimer = clock.after(LOOK_MS, wakeSignal.ring)
        await wakeSignal.sleep()
        cancelTimer()
      } else hasEnded = true // The log is read once more, so that the last output of a runner is not missed.
    }
  } finally {
    cancelTimer()
    stopWatching?.()
  }
}
