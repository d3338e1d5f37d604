import type { Round } from './measured-fleet.ts'
import type { Statement, StatementKind } from './timed-pool.ts'

/** How long the parts of an answer took, one answer at a time: lists of milliseconds. */
export interface SingleTimes {
  write: number[]
  read: number[]
  notify: number[]
  host: number[]
  runner: number[]
  readsBefore: number[]
  readsAfter: number[]
}

export const noTimes = (): SingleTimes => ({
  write: [],
  read: [],
  notify: [],
  host: [],
  runner: [],
  readsBefore: [],
  readsAfter: [],
})

/** Takes apart a round in which one answer followed the other. */
export function addSingleTimes(
  times: SingleTimes,
  { answers, hostStatements, runnerStatements }: Round,
): void {
  for (const { startedAt, storedAt, resolvedAt } of answers) {
    const ofHost = hostStatements.filter((each) => each.startedAt >= startedAt && each.startedAt <= storedAt)
    const write = ofHost.find(isA('answer'))
    const changes = runnerStatements.findLast((each) => isA('changes')(each) && each.endedAt <= resolvedAt)
    // A poll may have brought the answer before the notification did.
    if (!write || !changes || changes.startedAt < write.startedAt) continue
    const notify = hostStatements.find(
      (each) => isA('notify')(each) && each.startedAt >= write.endedAt && each.startedAt < changes.startedAt,
    )
    // Without a statement of its own, the notification came with the commit.
    const notifiedAt = notify?.startedAt ?? write.endedAt
    const reads = ofHost.filter(isA('read'))
    const before = reads.filter((read) => read.endedAt <= write.startedAt)
    times.write.push(msOf(write))
    times.read.push(...reads.map(msOf), msOf(changes))
    times.notify.push(Math.max(0, changes.startedAt - notifiedAt))
    times.host.push(write.endedAt - startedAt - [write, ...before].reduce((sum, each) => sum + msOf(each), 0))
    times.runner.push(resolvedAt - changes.endedAt)
    times.readsBefore.push(before.length)
    times.readsAfter.push(reads.length - before.length)
  }
}

const isA =
  (kind: StatementKind) =>
  (statement: Statement): boolean =>
    statement.kind === kind

const msOf = ({ startedAt, endedAt }: Statement): number => endedAt - startedAt
