import { headers } from '@nats-io/transport-node'
import type { NatsFiles } from './files/nats-files.ts'
import { nameIn, SWEPT_HEADER, textSubject } from './lib/subjects.ts'
import { orUnreachable } from './service/service.ts'
import type { LiveView } from './view/live-view.ts'
import { type Entry, isSettled } from './view/stored-question.ts'
import { TRACES_MS } from './view/upkeep.ts'

/** How many questions are removed at once. */
const AT_ONCE = 16

/**
 * Removes settled questions that were last written so long ago, with their answers and files. An empty message takes the place
 * of the record, so that all views learn of it. A later sweep removes that too.
 */
export async function sweep(
  live: LiveView,
  { passOf, files }: { passOf: (namespace: string) => string; files: NatsFiles },
  olderThanMs: number,
): Promise<number> {
  const { service, names } = live
  const view = await live.caughtUp()
  /** Removes the messages of a subject up to a sequence. */
  const purge = (filter: string, sequence: number): Promise<unknown> =>
    service.jetStream(`STREAM.PURGE.${names.stream}`, { filter, seq: sequence + 1 })
  const before = service.clock.now() - olderThanMs
  const tracesUntil = service.clock.now() - TRACES_MS
  let removed = 0
  const one = async (entry: Entry): Promise<void> => {
    const subjectOf = (kind: 'q' | 'a'): string =>
      textSubject(names, entry.namespace, passOf(entry.namespace), kind, entry.toolCallId)
    const { record, answer } = entry
    if (!record.stored) {
      // The sweep that left this trace may have ended before it removed the answer.
      await purge(subjectOf('a'), record.sequence)
      await purge(subjectOf('q'), record.sequence)
      return view.forget(entry)
    }
    if (!isSettled(entry)) return // It was asked again.
    // Before the record: a sweep that ends here begins again.
    await files.remove(entry.namespace, entry.toolCallId)
    const answered = answer.sequence
    const header = headers()
    header.set(SWEPT_HEADER, 'true')
    nameIn(header, entry.toolCallId)
    if ((await live.write(subjectOf('q'), '', record.version, header)) === null) return
    if (answered > 0) await purge(subjectOf('a'), answered)
    removed++
  }
  const old = view
    .olderThan(Math.max(before, tracesUntil))
    .filter(({ record, writtenAt }) => writtenAt < (record.stored ? before : tracesUntil))
  await orUnreachable('Settled questions could not be removed', async () => {
    for (let from = 0; from < old.length; from += AT_ONCE)
      await Promise.all(old.slice(from, from + AT_ONCE).map(one))
  })
  return removed
}
