import {
  type CallNames,
  parseInvocation,
  parseUserChoice,
  type ToolInvocation,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'

/** What a tool call ended with: what the model reads, and what people are shown in its place. */
export interface UserChoiceResult {
  text?: string
  /** Items of text and images; they go before `text`. */
  content?: unknown[]
  displayAs?: unknown[]
}

/** A choice that the runtime was asked to have made. */
export interface PendingChoice {
  message: UserChoiceMessage
  /** ISO 8601. */
  receivedAt: string
  /** `asked`: the user chooses. `selected`: the tool is told. `told`: it knows, or it refused to. */
  state: 'asked' | 'selected' | 'told'
  /** Only while the tool is told: a selection is not kept. */
  selected?: number
}

/** What the runtime keeps of a call. */
export interface RuntimeRecord {
  version: 1
  /** Where the tool is. */
  endpoint: string
  invocation: ToolInvocation
  /** What the callback URL of this call carries. */
  token: string
  /** Whether the tool is known to have the invocation. */
  acknowledged: boolean
  /** Whether nobody wants the result any more. */
  dismissed?: boolean
  choice?: PendingChoice
  /** ISO 8601: when the call fails, because a message of its tool was refused or its tool is silent. */
  failsAt?: string
  result?: UserChoiceResult
  /** ISO 8601. */
  endedAt?: string
}

const toolResultSchema: v.GenericSchema<unknown, UserChoiceResult> = v.object({
  text: v.exactOptional(v.string()),
  content: v.exactOptional(v.array(v.unknown())),
  displayAs: v.exactOptional(v.array(v.unknown())),
})

export const runtimeRecordSchema: v.GenericSchema<unknown, RuntimeRecord> = v.object({
  version: v.literal(1),
  endpoint: v.string(),
  invocation: v.pipe(v.unknown(), v.transform(parseInvocation)),
  token: v.string(),
  acknowledged: v.boolean(),
  dismissed: v.exactOptional(v.boolean()),
  choice: v.exactOptional(
    v.object({
      message: v.pipe(v.unknown(), v.transform(parseUserChoice)),
      receivedAt: v.string(),
      state: v.picklist(['asked', 'selected', 'told']),
      selected: v.exactOptional(v.number()),
    }),
  ),
  failsAt: v.exactOptional(v.string()),
  result: v.exactOptional(toolResultSchema),
  endedAt: v.exactOptional(v.string()),
})

export const withoutChoice = ({ choice: _, ...record }: RuntimeRecord): RuntimeRecord => record

/**
 * Whether a message names the call that its URL belongs to. Tools that leave out the second name are understood, and
 * messages about a whole conversation name no call.
 */
export const isAbout = (message: Partial<CallNames>, { group_id, id, call_id }: ToolInvocation): boolean =>
  message.group_id === group_id && (message.id ?? id) === id && (message.call_id ?? call_id) === call_id
