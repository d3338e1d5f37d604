import { readerOf } from '@sandagent/core/internal'
import type { InboxChange, InboxList, InboxQuestion, UnreachableSandbox } from '@sandagent/inbox'
import { keyOf } from './api.ts'

/** A question that waits for the person. */
export interface WaitingEntry extends InboxQuestion {
  key: string
  /** When the time runs out by this browser's clock, in milliseconds since 1970; `null` for never. */
  dueAt: number | null
}

export type Connection = 'connecting' | 'live' | 'lost' | 'signed out'

/** What the page knows of the inbox. */
export interface InboxState {
  connection: Connection
  waiting: ReadonlyMap<string, WaitingEntry>
  unreachable: ReadonlyMap<string, UnreachableSandbox>
}

export const EMPTY: InboxState = { connection: 'connecting', waiting: new Map(), unreachable: new Map() }

export type InboxEvent =
  | { type: 'list'; list: InboxList; now: number }
  /** The list is long, and this is its beginning. It is shown until the whole is there. */
  | { type: 'beginning'; list: InboxList; now: number }
  | { type: 'changes'; changes: readonly InboxChange[]; now: number }
  | { type: 'connection'; connection: Connection }

/** The state after an event. It is the same object if a person would see no difference. */
export function afterEvent(state: InboxState, event: InboxEvent): InboxState {
  switch (event.type) {
    case 'connection':
      return event.connection === state.connection ? state : { ...state, connection: event.connection }
    case 'list': {
      const { questions, unreachable } = event.list
      const entries = questions.map((question) => entryOf(question, event.now))
      // What was known of a sandbox that cannot be read now is still the best that is known.
      const lost = new Set(unreachable.map(({ sandboxId }) => sandboxId))
      const kept = [...state.waiting.values()].filter(({ sandboxId }) => lost.has(sandboxId))
      return {
        connection: 'live',
        waiting: new Map([...kept, ...entries].map((entry) => [entry.key, entry])),
        unreachable: new Map(unreachable.map((sandbox) => [sandbox.sandboxId, sandbox])),
      }
    }
    case 'beginning':
      return state.waiting.size > 0 ? state : afterEvent(state, { ...event, type: 'list' })
    case 'changes':
      return afterChanges(state, event.changes, event.now)
  }
}

/** Maps are copied once for all changes: thousands of questions may come at once. */
function afterChanges(state: InboxState, changes: readonly InboxChange[], now: number): InboxState {
  let waiting: Map<string, WaitingEntry> | undefined
  let unreachable: Map<string, UnreachableSandbox> | undefined
  for (const change of changes) {
    const { sandboxId } = change
    if (change.kind === 'question') {
      const { kind: _, ...question } = change
      const entry = entryOf(question, now)
      const known = (waiting ?? state.waiting).get(entry.key)
      const isOpen = change.question.state === 'open'
      if (isOpen ? known && looksSame(known, entry) : !known) continue
      waiting ??= new Map(state.waiting)
      if (isOpen) waiting.set(entry.key, entry)
      else waiting.delete(entry.key)
      continue
    }
    unreachable ??= new Map(state.unreachable)
    if (change.kind === 'unreachable') unreachable.set(sandboxId, change)
    else unreachable.delete(sandboxId)
    if (change.kind !== 'removed') continue
    waiting ??= new Map(state.waiting)
    for (const [key, entry] of waiting) if (entry.sandboxId === sandboxId) waiting.delete(key)
  }
  if (!waiting && !unreachable) return state
  return { ...state, ...(waiting && { waiting }), ...(unreachable && { unreachable }) }
}

export const entryOf = (question: InboxQuestion, now: number): WaitingEntry => ({
  ...question,
  key: keyOf(question),
  dueAt: question.question.remainingMs === null ? null : now + question.question.remainingMs,
})

/** How far two deadlines may be apart that are the same: requests take their time. In milliseconds. */
const SAME_MOMENT_MS = 2000

/** Drafts of the person change no list. */
const looksSame = (a: WaitingEntry, b: WaitingEntry): boolean =>
  a.question.questionDigest === b.question.questionDigest &&
  a.question.askedAt === b.question.askedAt &&
  readerOf(a.question) === readerOf(b.question) &&
  a.sandboxName === b.sandboxName &&
  (a.dueAt === null) === (b.dueAt === null) &&
  Math.abs((a.dueAt ?? 0) - (b.dueAt ?? 0)) < SAME_MOMENT_MS
