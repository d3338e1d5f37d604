import { systemClock } from '@sandagent/core/internal'
import type { FleetStore } from '@sandagent/fleet'
import type { AnswerableSandbox, RunFacts, SandboxLogs } from '@sandagent/sdk/internal'
import { deliveredQuestions } from './delivery.ts'
import { mirroredRunId } from './run-registrar.ts'

/**
 * The questions of one namespace, as any host of the fleet answers them: for `submitAnswer`, `listQuestions`,
 * `watchQuestions` and `createAnswerHandler`.
 */
export function fleetSandbox(fleet: FleetStore, namespace: string): AnswerableSandbox {
  // A question may name a run of another namespace.
  const findRun = briefly(async (runId) => {
    const run = await fleet.runs.find(runId)
    return run?.namespace === namespace ? run : fleet.runs.find(mirroredRunId(namespace, runId))
  })
  const runs: RunFacts = {
    hasEnded: async ({ runId }) => (await findRun(runId))?.endedAt !== undefined,
    async keyIds(runId, named) {
      const read = keysRead.get(fleet) ?? new Map<string, readonly string[]>()
      keysRead.set(fleet, read)
      const place = `${namespace}/${runId}`
      const known = read.get(place)
      if (named && JSON.stringify(named) === JSON.stringify(known)) return known
      const found = (await findRun(runId))?.publicKeyIds
      if (read.size >= MOST_RUNS) read.clear()
      if (found) read.set(place, found)
      return found
    },
    owner: async (runId) => (await findRun(runId))?.owner,
  }
  const { logs } = fleet
  const readLogs: SandboxLogs | undefined = logs && {
    // Logs go by the ids of runs that hosts have started. What a mirror knows of a run has another id.
    lastAttempt: async (runId) => ((await findRun(runId))?.runId === runId ? logs.lastAttempt(runId) : null),
    tail: (log, bytes) => logs.tail(log, bytes),
    pieces: (log, options) => logs.pieces(log, options),
  }
  return {
    id: `fleet:${namespace}`,
    questions: deliveredQuestions(fleet.questions(namespace), systemClock),
    runs,
    logs: readLogs,
  }
}

/**
 * The keys of runs that hosts have entered. A run that begins again with other keys has a runner that names them in its
 * questions. A question that names others by mistake, or to deceive, gets an answer that its own runner refuses.
 */
const keysRead = new WeakMap<FleetStore, Map<string, readonly string[]>>()
const MOST_RUNS = 1000

/** How long a run is not read again, in milliseconds. One answer may need it twice. */
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
