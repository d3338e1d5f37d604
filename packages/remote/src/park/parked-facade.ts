import { systemClock } from '@sandagent/core/internal'
import type { DetachedPrograms, RunSandbox } from '@sandagent/sdk/internal'
import { hasRunEnded, keysOfRun, storeOverFiles } from '@sandagent/sdk/internal'
import { parkedFiles } from './parked-files.ts'
import { type Place, untilMove } from './parked-place.ts'
import { parkedQuestions } from './parked-questions.ts'

/** The sandbox as its users see it: always there. */
export function parkedFacade(sandbox: RunSandbox, place: Place): RunSandbox {
  const { workdir, stateFolder, sweepAfterMs, hostFolder, questions, runs } = sandbox
  const facade: RunSandbox = {
    workdir,
    stateFolder,
    sweepAfterMs,
    ...(hostFolder !== undefined && { hostFolder }),
    files: parkedFiles(sandbox, place),
    detached: parkedPrograms(sandbox, place),
    spawn: (...call) => place.awake((inner) => inner.spawn(...call)),
  }
  if (!questions || !runs) return facade
  return {
    ...facade,
    questions: parkedQuestions(place, questions, storeOverFiles(facade, systemClock)),
    runs: {
      async keyIds(runId) {
        const done = await place.ifAwake(() => runs.keyIds(runId))
        return done ? done.value : keysOfRun(facade, runId)
      },
      // While it is awake, its own store knows.
      hasEnded: async (record) => !place.isAwake() && hasRunEnded(facade, record),
    },
  }
}

function parkedPrograms({ detached }: RunSandbox, place: Place): DetachedPrograms {
  const { until } = detached
  return {
    async start(...call) {
      const { handle, ended } = await place.awake((inner) => inner.detached.start(...call))
      // A program that the sleep has ended is started again when the sandbox is awake.
      return { handle, ended: ended.then((end) => place.notAsleep().then(() => end)) }
    },
    async isRunning(handle) {
      const done = await place.ifAwake((inner) => inner.detached.isRunning(handle))
      return done ? done.value : place.isParked(handle)
    },
    interrupt: (handle) => place.awake((inner) => inner.detached.interrupt(handle)),
    kill: (handle) => place.awake((inner) => inner.detached.kill(handle)),
    ...(until && {
      async until(handle, options) {
        while (!options.signal.aborted) {
          await place.notAsleep(options.signal)
          const turn = untilMove(place, options.signal)
          try {
            if (place.isAwake()) await until(handle, { ...options, signal: turn.signal })
            if (!turn.signal.aborted) return
          } finally {
            turn.end()
          }
        }
      },
    }),
  }
}
