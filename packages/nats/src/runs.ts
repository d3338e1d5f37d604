import type { RunRegistry, StoredRun } from '@sandagent/fleet'
import { type BucketNames, tokenOf } from './lib/subjects.ts'
import { lastMessage } from './service/messages.ts'
import { orUnreachable, type Service } from './service/service.ts'

/** The runs, each in one text of a bucket of their own. */
export function runRegistry(names: BucketNames, service: () => Promise<Service>): RunRegistry {
  const subjectOf = (runId: string): string => `${names.root}.${tokenOf(runId)}`
  const last = async (runId: string): Promise<{ run: StoredRun; sequence: number } | null> => {
    const found = await lastMessage(await service(), names.stream, subjectOf(runId))
    return found && { run: JSON.parse(found.data.toString()) as StoredRun, sequence: found.sequence }
  }
  const store = async (run: StoredRun, after?: number): Promise<boolean> =>
    (await (await service()).publish(subjectOf(run.runId), JSON.stringify(run), { after })) !== null
  const reaching = <T>(work: () => Promise<T>): Promise<T> =>
    orUnreachable('The runs cannot be reached', work)
  return {
    put: (run) => reaching(async () => void (await store(run))),
    end: ({ runId, startedAt, endedAt }) =>
      reaching(async () => {
        for (;;) {
          const found = await last(runId)
          if (found?.run.startedAt !== startedAt || found.run.endedAt !== undefined) return
          if (await store({ ...found.run, endedAt }, found.sequence)) return
        }
      }),
    find: (runId) => reaching(async () => (await last(runId))?.run ?? null),
  }
}
