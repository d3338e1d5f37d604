import { AskError, systemClock } from '@sandagent/core/internal'
import type { LogPiece } from '@sandagent/core/store'
import { logError } from '../answers/warnings.ts'
import { eventStream } from '../http/stream/event-stream.ts'
import type { SandboxLogs } from '../sandbox/sandbox.ts'
import { unknownRun } from './run.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'
import { runEvents, type StreamRunOptions } from './stream-run.ts'

/**
 * Streams a run from a copy of its log.
 *
 * @throws AskError `NOT_FOUND` for a run without a log, `UNREACHABLE`. A log whose beginning is removed breaks the stream.
 */
export async function streamLog(
  logs: SandboxLogs,
  runId: string,
  { from, follow = true, signal, onError = logError, clock = systemClock }: StreamRunOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const attempt = await logs.lastAttempt(runId)
  if (attempt === null) throw unknownRun(runId)
  return eventStream(
    (gone) => {
      let ended: string | null = null
      const lists = eventLists(logs.pieces({ runId, attempt }, { follow, signal: gone }), (state) => {
        ended = state
      })
      // A log without a last piece belongs to a host that died.
      const stateAtEnd = async () => ended ?? (follow ? 'crashed' : null)
      return runEvents(lists, { attempt, from, signal: gone, stateAtEnd })
    },
    { clock, onError, signal },
  )
}

/** The events in the pieces of a log, to the last one. */
async function* eventLists(
  pieces: AsyncIterable<LogPiece>,
  onEnded: (state: string) => void,
): AsyncGenerator<string[], void> {
  const cut = createEventCutter()
  let isFirst = true
  for await (const { offset, bytes, ended } of pieces) {
    if (isFirst && offset > 0)
      throw new AskError(
        'GONE',
        'The beginning of this log was removed when it grew too long. Follow the run from the question that waits',
      )
    isFirst = false
    const events = cut(bytes)
    yield events
    if (events.at(-1) === DONE_EVENT) return
    if (ended !== undefined) onEnded(ended)
  }
}
