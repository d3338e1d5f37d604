import { headers } from '@nats-io/transport-node'
import type { RunRegistry, StoredRun } from '@sandagent/fleet'
import { type BucketNames, tokenOf } from './lib/subjects.ts'
import { lastMessage } from './service/messages.ts'
import { type Service, unreachable } from './service/service.ts'

/** The runs, each in one text of a bucket of their own. */
export function runRegistry(names: BucketNames, service: () => Promise<Service>): RunRegistry {
  const subjectOf = (runId: string): string => `${names.root}.${tokenOf(runId)}`
  const last = async (runId: string): Promise<{ run: StoredRun; sequence: number } | null> => {
    const found = await lastMessage(await service(), names.stream, subjectOf(runId))
    return found && { run: JSON.parse(found.data.toString()) as StoredRun, sequence: found.sequence }
  }
  const store = async (run: StoredRun, expected?: number): Promise<boolean> => {
    const header = headers()
    if (expected !== undefined) header.set('Nats-Expected-Last-Subject-Sequence', String(expected))
    const found = await (await service()).publish(subjectOf(run.runId), JSON.stringify(run), {
      headers: header,
    })
    return found !== null
  }
  return {
    put: (run) => failing(async () => void (await store(run))),
    end: ({ runId, startedAt, endedAt }) =>
      failing(async () => {
        for (;;) {
          const found = await last(runId)
          if (found?.run.startedAt !== startedAt || found.run.endedAt !== undefined) return
          if (await store({ ...found.run, endedAt }, found.sequence)) return
        }
      }),
    find: (runId) => failing(async () => (await last(runId))?.run ?? null),
  }
}

async function failing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw unreachable('The runs cannot be reached', error)
  }
}
