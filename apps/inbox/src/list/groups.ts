import { holdsUpWork } from '@sandagent/core/internal'
import type { InboxQuestion, InboxRun } from '@sandagent/inbox'
import type { WaitingEntry } from '../data/inbox-state.ts'
import { isUrgent } from '../time.ts'

/** Entries of a list below a heading. */
export interface Group<Entry = InboxQuestion | InboxRun> {
  /** Absent for a list without headings. */
  title?: string
  entries: readonly Entry[]
}

/** More questions of one folder stand below all others: an agent that asks without end hides nobody else's. */
const CROWD = 100

export const NOT_WAITING = 'Not waiting for you'

const TITLES = [
  'Running out',
  'Approvals',
  'Questions',
  NOT_WAITING,
  'More from folders that ask a lot',
] as const

/** The questions that wait, in the order in which a person decides them. @param waiting the oldest first */
export function inGroups(waiting: readonly WaitingEntry[], now: number): Group<WaitingEntry>[] {
  const groups: WaitingEntry[][] = TITLES.map(() => [])
  const counts = TITLES.map(() => new Map<string, number>())
  for (const entry of waiting) {
    const { kind } = entry.question
    const waits = holdsUpWork(entry.question)
    const rank = waits && isUrgent(entry.dueAt, now) ? 0 : kind === 'approval' ? 1 : waits ? 2 : 3
    const count = (counts[rank]?.get(entry.sandboxId) ?? 0) + 1
    counts[rank]?.set(entry.sandboxId, count)
    groups[count > CROWD ? 4 : rank]?.push(entry)
  }
  groups[0]?.sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
  return TITLES.map((title, index) => ({ title, entries: groups[index] ?? [] })).filter(
    ({ entries }) => entries.length > 0,
  )
}

/** The oldest first. */
export function byAge(a: WaitingEntry, b: WaitingEntry): number {
  const one = a.question.askedAt ?? ''
  const other = b.question.askedAt ?? ''
  return one === other ? (a.key < b.key ? -1 : 1) : one < other ? -1 : 1
}
