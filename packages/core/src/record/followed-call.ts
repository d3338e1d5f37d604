// Why it is so: docs/decisions/0096-asking-back-ends-the-call.md

import * as v from 'valibot'
import { filledText } from '../lib/schema.ts'
import { MAX_TYPED_CHARS } from '../question/limits.ts'

/** The call before, about which a person asked back, as the agent says. */
export interface FollowedCall {
  toolCallId: string
  /** What the person asked. */
  question: string
  /** What the agent said since, in its words. */
  reply?: string
}

/** The shape of {@link FollowedCall}. */
export const followsSchema: v.GenericSchema<unknown, FollowedCall> = v.object({
  toolCallId: filledText,
  question: filledText,
  reply: v.exactOptional(v.pipe(filledText, v.maxLength(MAX_TYPED_CHARS))),
})
