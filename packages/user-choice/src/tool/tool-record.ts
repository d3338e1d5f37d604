import { parseInvocation, type ToolInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import type { ChoiceRequest } from './operation.ts'

export interface AwaitedChoice {
  request: ChoiceRequest
  /** ISO 8601: when the wait ends. */
  deadline: string
  /** Index into the choices. */
  selected?: number
}

/** A call as the tool stores it. */
export interface ToolRecord {
  version: 1
  invocation: ToolInvocation
  /** The secret of the response URL. */
  token: string
  choice?: AwaitedChoice
  /** Whether the operation was begun. It is never begun twice. */
  begun: boolean
  /** For the model. Once it is set, nothing else changes. */
  result?: string
  /** For people, in place of the result. */
  display?: string
  /** ISO 8601: when the result was delivered or its delivery was given up. */
  endedAt?: string
}

export const toolRecordSchema: v.GenericSchema<unknown, ToolRecord> = v.object({
  version: v.literal(1),
  invocation: v.pipe(v.unknown(), v.transform(parseInvocation)),
  token: v.string(),
  choice: v.exactOptional(
    v.object({
      request: v.object({
        prompt: v.string(),
        choices: v.array(v.string()),
        default: v.number(),
        remember: v.exactOptional(v.object({ choices: v.array(v.number()), scope: v.string() })),
      }),
      deadline: v.string(),
      selected: v.exactOptional(v.number()),
    }),
  ),
  begun: v.boolean(),
  result: v.exactOptional(v.string()),
  display: v.exactOptional(v.string()),
  endedAt: v.exactOptional(v.string()),
})
