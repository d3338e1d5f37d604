import { AskError, type Clock, checkOptions, type OptionNames, systemClock } from '@sandagent/core/internal'
import type { LogPiece } from '@sandagent/core/store'
import { logError } from '../answers/warnings.ts'
import { EVENT_STREAM_HEADERS, eventStream } from '../http/stream/event-stream.ts'
import { latestRecord } from '../run-records/run-records.ts'
import type { RunSandbox, SandboxLogs } from '../sandbox/sandbox.ts'
import { followLog } from './follow-log.ts'
import { describeRun, unknownRun } from './run.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'
import { limitLog } from './watch-over.ts'

export interface StreamRunOptions {
  /**
   * The id of the last event that the reader has, as in `Last-Event-ID`. Default, and after a new start: from the beginning.
   */
  from?: string | null | undefined
  /** Whether the stream goes on with the run. `false` ends it after what is there now. Default true. */
  follow?: boolean | undefined
  /** Ends the stream, but not the run. */
  signal?: AbortSignal | undefined
  /** Called when the stream breaks. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

export const STREAM_OPTIONS: OptionNames<StreamRunOptions> = {
  from: true,
  follow: true,
  signal: 'signal',
  onError: 'function',
  clock: 'clock',
}

/** The headers of a response that streams a run to the AI SDK. */
export const RUN_STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...EVENT_STREAM_HEADERS,
  'x-vercel-ai-ui-message-stream': 'v1',
}

/**
 * Streams a run from its beginning: the UI message stream of the AI SDK as server-sent events. It always ends with `[DONE]`.
 * If the runner did not end its stream, an `abort` or `error` chunk comes before.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id, `NOT_FOUND` for an unknown run.
 */
export async function streamRun(
  sandbox: RunSandbox,
  runId: string,
  options: StreamRunOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  checkOptions('streamRun: its options', options, STREAM_OPTIONS)
  const { from, follow = true, signal, onError = logError, clock = systemClock } = options
  const record = await latestRecord(sandbox, runId)
  if (!record) throw unknownRun(runId)
  return eventStream(
    (gone) => {
      limitLog(sandbox, record, { signal: gone, clock }).catch(onError)
      return runEvents(followLog(sandbox, record, { follow, signal: gone, clock }), {
        attempt: record.attempt,
        from,
        signal: gone,
        // Without `follow`, a run may have ended as it should since its log was read.
        async stateAtEnd() {
          const { state } = await describeRun(sandbox, record)
          return follow || state === 'crashed' || state === 'stopped' ? state : null
        },
      })
    },
    { clock, onError, signal },
  )
}

/** How many events of this start the reader has. Ids are `ATTEMPT-NUMBER`. */
function eventsBefore(from: string | null | undefined, attempt: number): number {
  const [, ofAttempt, number] = /^(\d+)-(\d+)$/.exec(from ?? '') ?? []
  return Number(ofAttempt) === attempt ? Number(number) : 0
}

interface RunEventsOptions {
  attempt: number
  from: string | null | undefined
  signal: AbortSignal
  /** What became of a run whose log has no end; `null`: the stream ends without an end. */
  stateAtEnd(): Promise<string | null>
}

/** The events of a log as server-sent events with ids, from the first one that the reader does not have. */
async function* runEvents(
  lists: AsyncIterable<readonly string[]>,
  { attempt, from, signal, stateAtEnd }: RunEventsOptions,
): AsyncGenerator<string | Uint8Array, void> {
  const known = eventsBefore(from, attempt)
  let number = 0
  let isDone = false
  for await (const events of lists) {
    let unknown = ''
    for (const event of events) if (++number > known) unknown += `id: ${attempt}-${number}\n${event}\n\n`
    if (unknown !== '') yield Buffer.from(unknown, 'latin1')
    isDone = events.at(-1) === DONE_EVENT
  }
  if (isDone || signal.aborted) return
  const state = await stateAtEnd()
  if (state !== null) yield endingOf(state)
}

/** The end of a stream that its runner did not end. It does not show the runner's error output. */
const endingOf = (state: string): string => {
  const chunk =
    state === 'stopped'
      ? { type: 'abort' }
      : { type: 'error', errorText: 'The agent ended before it was done' }
  return `data: ${JSON.stringify(chunk)}\n\n${DONE_EVENT}\n\n`
}

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
