import { AskError, checkOptions, systemClock } from '@sandagent/core/internal'
import type { FleetStore, LogPiece } from '@sandagent/fleet'
import { logError } from '../answers/warnings.ts'
import { eventStream } from '../http/stream/event-stream.ts'
import { latestRecord } from '../run-records/run-records.ts'
import type { RunSandbox, SandboxLogs } from '../sandbox/sandbox.ts'
import { copyLog } from './copy-log.ts'
import { unknownRun } from './run.ts'
import { createEventCutter, DONE_EVENT } from './run-log.ts'
import { runEvents, type StreamRunOptions } from './stream-run.ts'

/**
 * Copies the log of a run to the fleet until the run ends, so that any host streams it. `startRun` does that for its own
 * runs. This is for a run whose host has ended, and for one that asks in files.
 *
 * @throws AskError `INVALID_REQUEST` for a store without logs, `NOT_FOUND` for an unknown run, `UNREACHABLE` when the store
 *   or the sandbox was out of reach for minutes.
 */
export async function mirrorRunLog(
  sandbox: RunSandbox,
  runId: string,
  options: { fleet: FleetStore; signal: AbortSignal },
): Promise<void> {
  checkOptions('mirrorRunLog: its options', options, { fleet: true, signal: 'signal' })
  const { fleet, signal } = options
  const record = await latestRecord(sandbox, runId)
  if (!record) throw unknownRun(runId)
  await copyLog(sandbox, record, logsOf(fleet), { signal, clock: systemClock })
}

/**
 * Streams a run of the fleet on any host, as `streamRun` does on the host that has its sandbox.
 *
 * @throws AskError `INVALID_REQUEST` for a store without logs, `NOT_FOUND` for a run without a log, `UNREACHABLE`. A log whose
 *   beginning is removed breaks the stream.
 */
export const streamFleetRun = async (
  fleet: FleetStore,
  runId: string,
  options?: StreamRunOptions,
): Promise<ReadableStream<Uint8Array>> => streamLog(logsOf(fleet), runId, options)

/** Streams a run from its copied log. @throws AskError as `streamFleetRun` does */
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

function logsOf({ logs }: FleetStore): NonNullable<FleetStore['logs']> {
  if (logs) return logs
  throw new AskError(
    'INVALID_REQUEST',
    'This store keeps no logs of runs. Stream them from the sandbox, with streamRun',
  )
}
