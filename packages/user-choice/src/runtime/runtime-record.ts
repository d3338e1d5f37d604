import {
  type CallNames,
  parseInvocation,
  parseUserChoice,
  type ToolInvocation,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import * as v from 'valibot'

/** The result of a tool call. */
export interface UserChoiceResult {
  /** For the model. */
  text?: string
  /** For the model: texts and images that go before `text`. */
  content?: unknown[]
  /** For people, in place of the rest. */
  displayAs?: unknown[]
}

/** A choice that a tool asked for. */
export interface PendingChoice {
  message: UserChoiceMessage
  /** ISO 8601. */
  receivedAt: string
  /** `asked`: the user chooses. `selected`: the selection is being sent. `told`: the tool took or refused it. */
  state: 'asked' | 'selected' | 'told'
  /** Only while it is being sent. */
  selected?: number
}

/** A call as the runtime stores it. */
export interface RuntimeRecord {
  version: 1
  endpoint: string
  invocation: ToolInvocation
  /** The secret of the callback URL. */
  token: string
  /** Whether the tool is known to have the invocation. */
  acknowledged: boolean
  /** Nobody waits for the result any more. */
  dismissed?: boolean
  choice?: PendingChoice
  /** ISO 8601: when the call fails after an invalid message, or without any message. */
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

/** Whether a message is about the call of its URL. Tools may leave out the names of the call. */
export const isAbout = (message: Partial<CallNames>, { group_id, id, call_id }: ToolInvocation): boolean =>
  message.group_id === group_id && (message.id ?? id) === id && (message.call_id ?? call_id) === call_id
