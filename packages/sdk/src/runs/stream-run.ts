import { type Clock, systemClock } from '@sandagent/core'
import { logError } from '../answers/warnings.ts'
import { EVENT_STREAM_HEADERS, eventStream } from '../http/event-stream.ts'
import { latestRecord, type RunRecord } from '../run-records/run-records.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'
import { followLog } from './follow-log.ts'
import { limitLog } from './limit-log.ts'
import { describeRun, type Run, unknownRun } from './run.ts'
import { DONE_EVENT } from './run-log.ts'

export interface StreamRunOptions {
  /**
   * The id of the last event that the reader has, as browsers send it in `Last-Event-ID`: what follows is streamed. By
   * default, and after the run was started again, that is everything.
   */
  from?: string | null | undefined
  /** Ends the stream, not the run. */
  signal?: AbortSignal | undefined
  /** Told why the stream broke. Default: printed by `console.error`, safely. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

/** The headers of a response that streams a run to a page of the AI SDK. */
export const RUN_STREAM_HEADERS: Readonly<Record<string, string>> = {
  ...EVENT_STREAM_HEADERS,
  'x-vercel-ai-ui-message-stream': 'v1',
}

/**
 * What a run says, from its beginning on, and then as it goes on: the UI message stream of the AI SDK as server-sent
 * events. It ends with `[DONE]`, also when the runner was killed: then an `abort` or `error` chunk comes before. Readers
 * may come and go as they like, the run does not notice.
 *
 * @throws AskError `INVALID_REQUEST` for a text that is no run id, `NOT_FOUND` for an unknown run.
 */
export async function streamRun(
  sandbox: RunSandbox,
  runId: string,
  { from, signal, onError = logError, clock = systemClock }: StreamRunOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  const record = await latestRecord(sandbox, runId)
  if (!record) throw unknownRun(runId)
  return eventStream(
    (gone) => {
      limitLog(sandbox, record, { signal: gone, clock }).catch(onError)
      return runEvents(sandbox, record, eventsBefore(from, record), { signal: gone, clock })
    },
    { clock, onError, signal },
  )
}

/** The number of events that a reader has of this start of the run: ids are `ATTEMPT-NUMBER`. */
function eventsBefore(from: string | null | undefined, { attempt }: RunRecord): number {
  const [, ofAttempt, number] = /^(\d+)-(\d+)$/.exec(from ?? '') ?? []
  return Number(ofAttempt) === attempt ? Number(number) : 0
}

async function* runEvents(
  sandbox: RunSandbox,
  record: RunRecord,
  known: number,
  { signal, clock }: { signal: AbortSignal; clock: Clock },
): AsyncGenerator<string, void> {
  let number = 0
  let isDone = false
  for await (const events of followLog(sandbox, record, { signal, clock })) {
    const numbered = events.map((text) => ({ text, number: ++number }))
    const unknown = numbered.filter((event) => event.number > known)
    if (unknown.length > 0)
      yield unknown.map((event) => `id: ${record.attempt}-${event.number}\n${event.text}\n\n`).join('')
    isDone = events.at(-1) === DONE_EVENT
  }
  if (!isDone && !signal.aborted) yield endingOf(await describeRun(sandbox, record))
}

/** How a stream ends that its runner did not end, so that no page waits for ever. Complaints are for the host alone. */
const endingOf = ({ state }: Run): string => {
  const chunk =
    state === 'stopped'
      ? { type: 'abort' }
      : { type: 'error', errorText: 'The agent ended before it was done' }
  return `data: ${JSON.stringify(chunk)}\n\n${DONE_EVENT}\n\n`
}
