import { invalid, type QuestionState, type QuestionView, type Viewer, viewOf } from '@sandagent/core/internal'
import * as v from 'valibot'
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
  host?: Pick<Viewer, 'rule' | 'passkeySite'>,
): InboxQuestion => ({
  ...inboxPlaceOf(sandbox),
  ...(state.record && { runId: state.record.runId }),
  question: viewOf(state, now, viewer, host),
})

/** The place of a question in the lists of an inbox: by time, then by the ids of question and sandbox. */
export type InboxRank = readonly [time: number, toolCallId: string, sandboxId: string]

export function compareRanks(a: InboxRank, b: InboxRank): number {
  const differing = ([0, 1, 2] as const).find((index) => a[index] !== b[index])
  return differing === undefined ? 0 : a[differing] < b[differing] ? -1 : 1
}

export const cursorAt = (rank: InboxRank): string => Buffer.from(JSON.stringify(rank)).toString('base64url')

const cursorSchema = v.pipe(
  v.string(),
  v.transform((cursor) => Buffer.from(cursor, 'base64url').toString()),
  v.parseJson(),
  v.strictTuple([v.pipe(v.number(), v.finite()), v.string(), v.string()]),
)

/** @throws AskError `INVALID_REQUEST` for a text that is no cursor. */
export function rankAt(cursor: string): InboxRank {
  const read = v.safeParse(cursorSchema, cursor)
  if (read.success) return read.output
  throw invalid('INVALID_REQUEST', 'This list cannot be continued', [
    { path: 'cursor', expected: 'a cursor of an earlier list' },
  ])
}
