import { headers } from '@nats-io/transport-node'
import { type BucketNames, nameIn, SWEPT_HEADER, textSubject } from './lib/subjects.ts'
import { type Service, unreachable } from './service/service.ts'
import type { StoreParts } from './view/store-parts.ts'
import { type Entry, isSettled } from './view/stored-question.ts'
import { TRACES_MS } from './view/upkeep.ts'

/** How many questions are removed at once. */
const AT_ONCE = 16

/**
 * Removes settled questions that were last written so long ago. An empty message takes the place of the record, so that all
 * views learn of it. A later sweep removes that too.
 */
export async function sweep(
  { service, names, view, live }: StoreParts,
  passOf: (namespace: string) => string,
  olderThanMs: number,
): Promise<number> {
  await live.caughtUp()
  const before = service.clock.now() - olderThanMs
  const tracesUntil = service.clock.now() - TRACES_MS
  let removed = 0
  const one = async (entry: Entry): Promise<void> => {
    const subjectOf = (kind: 'q' | 'a'): string =>
      textSubject(names, entry.namespace, passOf(entry.namespace), kind, entry.toolCallId)
    const { record, answer } = entry
    if (!record.stored) {
      // The sweep that left this trace may have ended before it removed the answer.
      await purge(service, names, subjectOf('a'), record.sequence)
      await purge(service, names, subjectOf('q'), record.sequence)
      return view.forget(entry)
    }
    if (!isSettled(entry)) return // It was asked again.
    const answered = answer.sequence
    const header = headers()
    header.set(SWEPT_HEADER, 'true')
    nameIn(header, entry.toolCallId)
    if ((await live.write(subjectOf('q'), '', record.version, header)) === null) return
    if (answered > 0) await purge(service, names, subjectOf('a'), answered)
    removed++
  }
  const old = [...view.olderThan(Math.max(before, tracesUntil))].filter(
    ({ record, writtenAt }) => writtenAt < (record.stored ? before : tracesUntil),
  )
  try {
    for (let from = 0; from < old.length; from += AT_ONCE)
      await Promise.all(old.slice(from, from + AT_ONCE).map(one))
  } catch (error) {
    throw unreachable('Settled questions could not be removed', error)
  }
  return removed
}

/** Removes the messages of a subject up to a sequence. */
const purge = (
  service: Service,
  { stream }: BucketNames,
  subject: string,
  sequence: number,
): Promise<unknown> => service.jetStream(`STREAM.PURGE.${stream}`, { filter: subject, seq: sequence + 1 })
