import {
  filledText,
  type GrantName,
  isoTime,
  optionFor,
  optionValue,
  type QuestionRecord,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { type Reach, reachSchema, reachText, reachWarning } from './reach/reach.ts'
import { type Span, spanSchema, spanText } from './reach/span.ts'

/** A permission for more than one call, as a host keeps it. */
export interface Grant {
  version: 1
  id: string
  /** Where it holds: names the place of a sandbox. */
  place: string
  /** Who owns the run in which it was given. It holds for runs of this person alone. */
  owner?: string
  /** ISO 8601. */
  givenAt: string
  /** Who gave it, as the host authenticated them, and the roles they had. */
  givenBy?: string
  roles?: string[]
  /** The call with which it was given. */
  toolCallId: string
  reach: Reach
  span: Span
  ended?: GrantEnd
}

/** Why a grant has ended before its time, and when, ISO 8601. */
interface GrantEnd {
  at: string
  kind: 'revoked' | 'run-ended'
  /** Who took it back. */
  by?: string
}

export const grantSchema: v.GenericSchema<unknown, Grant> = v.object({
  version: v.literal(1),
  id: filledText,
  place: filledText,
  owner: v.exactOptional(v.string()),
  givenAt: isoTime,
  givenBy: v.exactOptional(v.string()),
  roles: v.exactOptional(v.array(v.string())),
  toolCallId: v.string(),
  reach: reachSchema,
  span: spanSchema,
  ended: v.exactOptional(
    v.object({
      at: isoTime,
      kind: v.picklist(['revoked', 'run-ended']),
      by: v.exactOptional(v.string()),
    }),
  ),
})

/** The question and the option that allow a call once; `null` for a record that asks something else, or more. */
export function permissionIn({ kind, questions }: QuestionRecord): { id: string; value: string } | null {
  const [question, ...others] = questions
  const option = optionFor(question, 'allowOnce')
  return kind === 'approval' && question && option && others.length === 0
    ? { id: question.id, value: optionValue(option) }
    : null
}

/** How much the clocks of two hosts may differ, in milliseconds. */
const SKEW_MS = 5000

/** When a grant has ended, in milliseconds since 1970; `null` for one that holds. After a clock went far back, none holds. */
export function endOf({ ended, span, givenAt }: Grant, now: number): number | null {
  if (ended) return Date.parse(ended.at)
  if (now < Date.parse(givenAt) - SKEW_MS) return now
  const until = span.kind === 'time' ? Date.parse(span.until) : Number.POSITIVE_INFINITY
  return now < until ? null : until
}

/** What a grant covers, in plain words, made of its facts alone. */
export const coversOf = ({ reach, span }: Pick<Grant, 'reach' | 'span'>): string =>
  `${reachText(reach)}, ${spanText(span)}.${reachWarning(reach)}`

export const nameOf = (grant: Grant): GrantName => ({ id: grant.id, covers: coversOf(grant) })
