import { invalid, type QuestionState, type QuestionView } from '@sandagent/core/internal'
import type { ListPlace } from '@sandagent/core/store'
import * as v from 'valibot'

/** The place of a question in lists: by the time when it was asked, then by its id. Questions without a record come last. */
export type CursorPlace = ListPlace | { toolCallId: string; askedAt?: undefined }

/** The cursor of a question: a list with this cursor goes on behind it, even if the question is gone by then. */
export const cursorOf = ({ askedAt, toolCallId }: Pick<QuestionView, 'askedAt' | 'toolCallId'>): string =>
  Buffer.from(JSON.stringify([askedAt === undefined ? null : Date.parse(askedAt), toolCallId])).toString(
    'base64url',
  )

/** The last time that a `Date` has, in milliseconds since 1970. */
const LAST_TIME = 8.64e15

const timeSchema = v.pipe(
  v.number(),
  v.minValue(-LAST_TIME),
  v.maxValue(LAST_TIME),
  v.transform((time) => new Date(time).toISOString()),
)

const cursorSchema = v.pipe(
  v.string(),
  v.transform((cursor) => Buffer.from(cursor, 'base64url').toString()),
  v.parseJson(),
  v.strictTuple([v.nullable(timeSchema), v.string()]),
)

/** @throws AskError `INVALID_REQUEST` for a text that is no cursor. */
export function parseCursor(cursor: string): CursorPlace {
  const read = v.safeParse(cursorSchema, cursor)
  if (!read.success)
    throw invalid('INVALID_REQUEST', 'This list cannot be continued', [
      { path: 'cursor', expected: 'a cursor of an earlier list' },
    ])
  const [askedAt, toolCallId] = read.output
  return askedAt === null ? { toolCallId } : { askedAt, toolCallId }
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

export const cursorPlaceOf = ({
  record,
  toolCallId,
}: Pick<QuestionState, 'record' | 'toolCallId'>): CursorPlace =>
  record ? { askedAt: record.askedAt, toolCallId } : { toolCallId }

/** Whether a place comes after another one in lists. */
export function isAfter(place: CursorPlace, other: CursorPlace): boolean {
  const [time, otherTime] = [timeOf(place), timeOf(other)]
  return time === otherTime ? place.toolCallId > other.toolCallId : time > otherTime
}

const timeOf = ({ askedAt }: CursorPlace): number => (askedAt === undefined ? Infinity : Date.parse(askedAt))
