import { AskError, type Clock, sleep } from '@sandagent/core/internal'
import { endOf, type RunLogs, type RunStart } from '@sandagent/core/store'
import {
  attemptPaths,
  describeRun,
  followLog,
  type RunRecord,
  type RunSandbox,
  readEnding,
} from '@sandagent/sdk/internal'

/** The most that a store takes at once. */
const PIECE_BYTES = 512 * 1024

/** How long a store or a sandbox may be out of reach, and the pause between two attempts. */
const TRY_FOR_MS = 5 * 60_000
const AGAIN_MS = 1000

/** An attempt that lasted so long has reached both, even if the run was silent. */
const REACHED_MS = 30_000

interface CopyOptions {
  signal: AbortSignal
  clock: Clock
}

/**
 * Copies the log of a run to the fleet, as it grows, to its end. It goes on where an earlier copy ended. Two hosts that copy
 * the same log do no harm.
 *
 * @throws AskError `UNREACHABLE` when the store or the sandbox was out of reach for minutes
 */
export async function copyLog(
  sandbox: RunSandbox,
  record: RunRecord,
  logs: RunLogs,
  options: CopyOptions,
): Promise<void> {
  const { clock } = options
  const signal = AbortSignal.any([options.signal, logs.closed])
  let failingSince: number | null = null
  while (!signal.aborted) {
    const startedAt = clock.now()
    let hasStored = false
    try {
      if (await copyRest(sandbox, record, logs, { signal, clock }, () => (hasStored = true))) return
    } catch (error) {
      if (!(error instanceof AskError && error.code === 'UNREACHABLE')) throw error
      if (signal.aborted) return
      const now = clock.now()
      if (hasStored || now - startedAt > REACHED_MS) failingSince = null
      failingSince ??= now
      if (now - failingSince > TRY_FOR_MS) throw error
    }
    await sleep(clock, AGAIN_MS, signal)
  }
}

/** Stores an empty first piece, so that readers wait for the others. @returns whether nobody else has stored one */
export const beginLog = ({ runId, attempt }: RunStart, logs: RunLogs): Promise<boolean> =>
  logs.append({ runId, attempt }, { offset: 0, bytes: new Uint8Array() })

/** @returns whether the whole log is stored. Otherwise another host has stored a part meanwhile */
async function copyRest(
  sandbox: RunSandbox,
  record: RunRecord,
  logs: RunLogs,
  { signal, clock }: CopyOptions,
  onStored: () => void,
): Promise<boolean> {
  const last = await logs.last(record)
  if (last?.ended !== undefined) return true
  if (last === null && !(await beginLog(record, logs))) return false
  let stored = endOf(last)
  let read = 0
  for await (const events of followLog(sandbox, record, { follow: true, signal, clock })) {
    const bytes = Buffer.from(events.map((event) => `${event}\n\n`).join(''), 'latin1')
    // An earlier copy has stored the first ones.
    const known = Math.min(bytes.length, Math.max(0, stored - read))
    for (let from = known; from < bytes.length; from += PIECE_BYTES) {
      const piece = bytes.subarray(from, from + PIECE_BYTES)
      if (!(await logs.append(record, { offset: stored, bytes: piece }))) return false
      onStored()
      stored += piece.length
    }
    read += bytes.length
  }
  if (signal.aborted) return true
  const { stream } = attemptPaths(sandbox, record.runId, record.attempt)
  // A runner that has ended its log may still be there.
  const { state } = (await readEnding(sandbox.files, stream)) ?? (await describeRun(sandbox, record))
  return logs.append(record, { offset: stored, bytes: new Uint8Array(), ended: state })
}
