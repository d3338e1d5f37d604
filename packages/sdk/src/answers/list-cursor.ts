import { invalid, type QuestionState, type QuestionView } from '@sandagent/core/internal'
import * as v from 'valibot'

/** The place of a question in lists: by the time when it was asked, then by its id. Questions without a record come last. */
export interface ListPlace {
  /** Milliseconds since 1970; `null` for a question without a record. */
  askedAt: number | null
  toolCallId: string
}

/** The cursor of a question: a list with this cursor goes on behind it, even if the question is gone by then. */
export const cursorOf = ({ askedAt, toolCallId }: Pick<QuestionView, 'askedAt' | 'toolCallId'>): string =>
  Buffer.from(JSON.stringify([askedAt === undefined ? null : Date.parse(askedAt), toolCallId])).toString(
    'base64url',
  )

const cursorSchema = v.pipe(
  v.string(),
  v.transform((cursor) => Buffer.from(cursor, 'base64url').toString()),
  v.parseJson(),
  v.strictTuple([v.nullable(v.pipe(v.number(), v.finite())), v.string()]),
)

/** @throws AskError `INVALID_REQUEST` for a text that is no cursor. */
export function parseCursor(cursor: string): ListPlace {
  const read = v.safeParse(cursorSchema, cursor)
  if (!read.success)
    throw invalid('INVALID_REQUEST', 'This list cannot be continued', [
      { path: 'cursor', expected: 'a cursor of an earlier list' },
    ])
  const [askedAt, toolCallId] = read.output
  return { askedAt, toolCallId }
}

/** @throws AskError `INVALID_REQUEST` for what is no number of questions. */
export function checkLimit(limit: number, most: number = Number.MAX_SAFE_INTEGER): number {
  if (Number.isSafeInteger(limit) && limit >= 1 && limit <= most) return limit
  const expected =
    most === Number.MAX_SAFE_INTEGER ? 'a whole number from 1' : `a whole number from 1 to ${most}`
  throw invalid('INVALID_REQUEST', 'This is no number of questions', [{ path: 'limit', expected }])
}

/** The `limit` in a query, if it has one. @throws AskError `INVALID_REQUEST` for what is no number of questions. */
export function limitIn(query: URLSearchParams, most: number): number | undefined {
  const limit = query.get('limit')
  if (limit === null) return undefined
  return checkLimit(/^\d+$/.test(limit) ? Number(limit) : Number.NaN, most)
}

export const listPlaceOf = ({
  record,
  toolCallId,
}: Pick<QuestionState, 'record' | 'toolCallId'>): ListPlace => ({
  askedAt: record ? Date.parse(record.askedAt) : null,
  toolCallId,
})

/** Whether a place comes after another one in lists. */
export function isAfter(place: ListPlace, other: ListPlace): boolean {
  const [time, otherTime] = [place.askedAt ?? Infinity, other.askedAt ?? Infinity]
  return time === otherTime ? place.toolCallId > other.toolCallId : time > otherTime
}
