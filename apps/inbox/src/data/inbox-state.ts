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
  | { type: 'change'; change: InboxChange; now: number }
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
      const kept = [...state.waiting.values()].filter(({ sandboxId }) =>
        unreachable.some((sandbox) => sandbox.sandboxId === sandboxId),
      )
      return {
        connection: 'live',
        waiting: new Map([...kept, ...entries].map((entry) => [entry.key, entry])),
        unreachable: new Map(unreachable.map((sandbox) => [sandbox.sandboxId, sandbox])),
      }
    }
    case 'change':
      return afterChange(state, event.change, event.now)
  }
}

function afterChange(state: InboxState, change: InboxChange, now: number): InboxState {
  if (change.kind === 'question') {
    const { kind: _, ...question } = change
    const entry = entryOf(question, now)
    const known = state.waiting.get(entry.key)
    if (change.question.state !== 'open')
      return known ? { ...state, waiting: without(state.waiting, [entry.key]) } : state
    return known && looksSame(known, entry)
      ? state
      : { ...state, waiting: new Map(state.waiting).set(entry.key, entry) }
  }
  const { sandboxId } = change
  if (change.kind === 'unreachable')
    return { ...state, unreachable: new Map(state.unreachable).set(sandboxId, change) }
  const unreachable = without(state.unreachable, [sandboxId])
  if (change.kind === 'reachable') return { ...state, unreachable }
  const gone = [...state.waiting.values()].filter((entry) => entry.sandboxId === sandboxId)
  return {
    ...state,
    unreachable,
    waiting: without(
      state.waiting,
      gone.map(({ key }) => key),
    ),
  }
}

const entryOf = (question: InboxQuestion, now: number): WaitingEntry => ({
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
  a.question.runEnded === b.question.runEnded &&
  a.sandboxName === b.sandboxName &&
  (a.dueAt === null) === (b.dueAt === null) &&
  Math.abs((a.dueAt ?? 0) - (b.dueAt ?? 0)) < SAME_MOMENT_MS

function without<T>(map: ReadonlyMap<string, T>, keys: readonly string[]): Map<string, T> {
  const rest = new Map(map)
  for (const key of keys) rest.delete(key)
  return rest
}

/** In the order of the list: the oldest first. */
export const inOrder = (waiting: InboxState['waiting']): WaitingEntry[] =>
  [...waiting.values()].sort((a, b) => {
    const [one, other] = [a.question.askedAt ?? '', b.question.askedAt ?? '']
    return one === other ? (a.key < b.key ? -1 : 1) : one < other ? -1 : 1
  })
