import { holdsUpWork, printableLine } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'

/** A question that waits for the person. */
export interface WaitingItem extends InboxQuestion {
  key: string
  /** When the time runs out by this machine's clock, in milliseconds since 1970; `null` for never. */
  dueAt: number | null
}

/** Less time than this is urgent, in milliseconds. */
const URGENT_MS = 15 * 60_000
/** More questions of one place come after all others: an agent that asks without end hides nobody else's. */
const CROWD = 100

export const keyOf = ({ sandboxId, question }: InboxQuestion): string =>
  JSON.stringify([sandboxId, question.toolCallId])

/** Names what is asked: a call that is asked again, or has changed, is another one. */
export const identityOf = (item: InboxQuestion): string =>
  JSON.stringify([keyOf(item), item.question.askedAt, item.question.questionDigest])

export const isOther = (one: InboxQuestion, other: InboxQuestion): boolean =>
  identityOf(one) !== identityOf(other)

export const itemOf = (found: InboxQuestion, now: number): WaitingItem => ({
  ...found,
  key: keyOf(found),
  dueAt: found.question.remainingMs === null ? null : now + found.question.remainingMs,
})

/**
 * In the order in which a person decides them, as in the inbox: what runs out, approvals, questions, and those whose
 * agent goes on. In each, the oldest first.
 */
export function inOrder(items: Iterable<WaitingItem>, now: number): WaitingItem[] {
  const counts = new Map<string, number>()
  const ranked = [...items].sort(byAge).map((item) => {
    const { dueAt, sandboxId, question } = item
    const waits = holdsUpWork(question)
    const isUrgent = waits && dueAt !== null && dueAt - now < URGENT_MS
    const rank = isUrgent ? 0 : question.kind === 'approval' ? 1 : waits ? 2 : 3
    const count = (counts.get(`${rank} ${sandboxId}`) ?? 0) + 1
    counts.set(`${rank} ${sandboxId}`, count)
    return { item, rank: count > CROWD ? 4 : rank, dueAt: isUrgent ? dueAt : 0 }
  })
  return ranked.sort((a, b) => a.rank - b.rank || a.dueAt - b.dueAt).map(({ item }) => item)
}

function byAge(a: WaitingItem, b: WaitingItem): number {
  const [one, other] = [a.question.askedAt ?? '', b.question.askedAt ?? '']
  return one === other ? (a.key < b.key ? -1 : 1) : one < other ? -1 : 1
}

/** The last part of a place's path, where that names no other place. */
export function placeName({ sandboxId, sandboxName }: InboxQuestion, items: Iterable<InboxQuestion>): string {
  const short = (name: string): string => name.split(/[\\/]/).filter(Boolean).at(-1) ?? name
  const isAlone = [...items].every(
    (other) => other.sandboxId === sandboxId || short(other.sandboxName) !== short(sandboxName),
  )
  return printableLine(isAlone ? short(sandboxName) : sandboxName)
}
