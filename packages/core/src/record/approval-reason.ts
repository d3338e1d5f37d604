import * as v from 'valibot'
import { filledText, listOf } from '../lib/schema.ts'
import { REASON_LIMITS } from '../question/limits.ts'

/** Why a permission is asked for. Only the record says who says so: an agent can write any words. */
export interface ApprovalReason {
  /** `agent`: the agent's own words. `rule`: what made the asker ask, as its rules or its harness say it. */
  by: 'agent' | 'rule'
  text: string
}

const { reasons, chars } = REASON_LIMITS

export const reasonsSchema: v.GenericSchema<unknown, ApprovalReason[]> = listOf(
  v.object({
    by: v.picklist(['agent', 'rule']),
    text: v.pipe(filledText, v.maxLength(chars, `at most ${chars} characters`)),
  }),
  reasons,
  `at most ${reasons} reasons`,
)
