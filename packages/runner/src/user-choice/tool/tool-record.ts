import { parseInvocation, type ToolInvocation } from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'
import type { ChoiceRequest } from './operation.ts'

/** A choice that the tool waits for. */
export interface AwaitedChoice {
  request: ChoiceRequest
  /** ISO 8601: when the wait ends. */
  deadline: string
  /** Index into the choices, once it is there. */
  selected?: number
}

/** What the tool keeps of a call. */
export interface ToolRecord {
  version: 1
  invocation: ToolInvocation
  /** What the response URL of this call carries. */
  token: string
  choice?: AwaitedChoice
  /** Whether the operation was begun: it is not begun twice. */
  begun: boolean
  /** What the model is to read. Once it is there, nothing else changes. */
  result?: string
  /** What people are shown in its place. */
  display?: string
  /** ISO 8601: when the result was delivered, or given up. */
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
