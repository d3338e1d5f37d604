import { AskError, type HostChannel } from '@sandagent/core/internal'
import type { SandboxFiles } from '@sandagent/files'
import { createStoreHostChannel, type FleetStore, type StoredRun } from '@sandagent/store'
import type { OwnChannel } from '../sandbox/own-channel.ts'
import type { AnswerableSandbox, SandboxLogs } from '../sandbox/sandbox.ts'

/**
 * The questions of one namespace, as any host of the fleet answers them: for `submitAnswer`, `listQuestions`,
 * `watchQuestions` and `createAnswerHandler`.
 */
export function fleetSandbox(fleet: FleetStore, namespace: string): AnswerableSandbox {
  const findRun = briefly((runId) => fleet.runs.find(runId))
  const ownChannel: OwnChannel = {
    create: ({ authenticate, onWarning, clock }): HostChannel =>
      createStoreHostChannel(fleet.questions(namespace), {
        authenticate,
        onWarning,
        clock,
        hasRunEnded: async ({ runId }) => (await findRun(runId))?.endedAt !== undefined,
      }),
    keysOfRun: async (runId) => (await findRun(runId))?.publicKeyIds,
    ownerOfRun: async (runId) => ownerIn(await findRun(runId), namespace),
  }
  const { logs } = fleet
  const readLogs: SandboxLogs | undefined = logs && {
    lastAttempt: async (runId) =>
      (await findRun(runId))?.namespace === namespace ? logs.lastAttempt(runId) : null,
    tail: (log, bytes) => logs.tail(log, bytes),
    pieces: (log, options) => logs.pieces(log, options),
  }
  return { files: noFiles(namespace), ownChannel, logs: readLogs }
}

/** A question may name a run of another namespace. */
const ownerIn = (run: StoredRun | null, namespace: string): string | undefined =>
  run?.namespace === namespace ? run.owner : undefined

/** A store has no files. */
function noFiles(namespace: string): SandboxFiles {
  const refuse = async (): Promise<never> => {
    throw new AskError(
      'UNREACHABLE',
      'The questions of this sandbox are in a store, and its files are elsewhere',
    )
  }
  return { id: `fleet:${namespace}`, read: async () => null, list: async () => [], writeAtomic: refuse }
}

/** How long a run is not read again, in milliseconds. One answer needs it twice. */
const BRIEF_MS = 100

/** The same result for all calls of one moment. */
function briefly<T>(find: (key: string) => Promise<T>): (key: string) => Promise<T> {
  let last: { key: string; at: number; found: Promise<T> } | null = null
  return (key) => {
    const at = performance.now()
    if (last?.key !== key || at - last.at > BRIEF_MS) last = { key, at, found: find(key) }
    return last.found
  }
}
