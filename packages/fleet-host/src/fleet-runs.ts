import { AskError, checkOptions, systemClock } from '@sandagent/core/internal'
import type { RunLogs } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'
import {
  latestRecord,
  type RunSandbox,
  STREAM_OPTIONS,
  type StreamRunOptions,
  streamLog,
  unknownRun,
} from '@sandagent/sdk/internal'
import { copyLog } from './copy-log.ts'

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
export async function streamFleetRun(
  fleet: FleetStore,
  runId: string,
  options: StreamRunOptions = {},
): Promise<ReadableStream<Uint8Array>> {
  checkOptions('streamFleetRun: its options', options, STREAM_OPTIONS)
  return streamLog(logsOf(fleet), runId, options)
}

function logsOf({ logs }: FleetStore): RunLogs {
  if (logs) return logs
  throw new AskError(
    'INVALID_REQUEST',
    'This store keeps no logs of runs. Stream them from the sandbox, with streamRun',
  )
}
