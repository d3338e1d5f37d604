import { invalid, type QuestionState, type QuestionView, type Viewer, viewOf } from '@sandagent/core/internal'
import { type InboxPlace, type InboxSandbox, inboxPlaceOf } from './inbox-sandbox.ts'

/** A question, and where it is asked. */
export interface InboxQuestion extends InboxPlace {
  /** The run that asks. */
  runId?: string
  question: QuestionView
}

export const inboxQuestionOf = (
  sandbox: InboxSandbox,
  state: QuestionState,
  now: number,
  viewer?: Viewer,
): InboxQuestion => ({
  ...inboxPlaceOf(sandbox),
  ...(state.record && { runId: state.record.runId }),
  question: viewOf(state, now, viewer),
})

/** The place of a question in the lists of an inbox: by time, then by the ids of question and sandbox. */
export type InboxRank = readonly [time: number, toolCallId: string, sandboxId: string]

export function compareRanks(a: InboxRank, b: InboxRank): number {
  const differing = ([0, 1, 2] as const).find((index) => a[index] !== b[index])
  return differing === undefined ? 0 : a[differing] < b[differing] ? -1 : 1
}

export const cursorAt = (rank: InboxRank): string => Buffer.from(JSON.stringify(rank)).toString('base64url')

/** @throws AskError `INVALID_REQUEST` for a text that is no cursor. */
export function rankAt(cursor: string): InboxRank {
  const rank = parsed(cursor)
  if (isRank(rank)) return rank
  throw invalid('INVALID_REQUEST', 'This list cannot be continued', [
    { path: 'cursor', expected: 'a cursor of an earlier list' },
  ])
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

const isRank = (value: unknown): value is InboxRank =>
  Array.isArray(value) &&
  value.length === 3 &&
  Number.isFinite(value[0]) &&
  typeof value[1] === 'string' &&
  typeof value[2] === 'string'
