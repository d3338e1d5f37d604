import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { filledText, mapOf, parseWith } from '../../lib/schema.ts'
import { QUESTION_LIMITS } from '../../question/limits.ts'

/** What names a tool call in every message about it. */
export interface CallNames {
  /** The conversation. */
  group_id: string
  /** The tool call. */
  id: string
  /** A second name that some models give. Replies repeat it. */
  call_id?: string | null
}

/**
 * The tool call id of the question that a call asks. Ids of calls are unique in their conversation only, so the id of
 * the question holds both: `GROUP:ID`. In the group `%` and `:` are escaped, so no two calls share a question.
 */
export const questionIdOf = ({ group_id, id }: Pick<CallNames, 'group_id' | 'id'>): string =>
  `${group_id.replace(/[%:]/g, encodeURIComponent)}:${id}`

/** Runtime to tool: do this. */
export interface ToolInvocation extends CallNames {
  operation: string
  arguments: Record<string, unknown>
  /** Where the tool posts its choice and its result. */
  callback_url: string
  user_id?: string | null
  /** The conversations that this one comes from, from the first to its parent. */
  thread_ancestors?: string[] | null
}

/** Tool to runtime: let the user choose one of these. */
export interface UserChoiceMessage extends CallNames {
  type: 'user_choice'
  prompt: string
  /** Labels, at least one, all different. */
  choices: string[]
  /** Index of the choice that a dismissal stands for. */
  default: number
  /** Where the runtime posts the {@link UserChoiceSelection}. */
  response_url: string
}

/** Tool to runtime: messages of other pages of the protocol, which say nothing about a choice. */
export interface OtherMessage {
  type: 'view_update' | 'subscription_event' | 'oauth'
  /** The conversation. */
  group_id: string
}

/** Runtime to tool: the user chose this. */
export interface UserChoiceSelection {
  id: string
  /** Index into `choices`. */
  selected: number
}

/** Tool to runtime: the call is done. It has `text`, or `content`, which goes before it. */
export interface ToolResultMessage extends CallNames {
  type: 'tool_result'
  text?: string
  /** Items of text and images. */
  content?: unknown[]
  /** What people are shown in place of the result. */
  display_as?: unknown[]
}

// Control characters, and marks that reverse the direction of the text.
const MISLEADING = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/u
/** People do not see differences in spaces, in characters without width, or in how a character is composed. */
const lookOf = (label: string): string =>
  label
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()
    .replace(/\s+/g, ' ')

const label: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.check((text) => lookOf(text) !== '', 'a label with something to read in it'),
  v.check((text) => !MISLEADING.test(text), 'a label without control characters'),
)

const httpUrl: v.GenericSchema<string, string> = v.pipe(
  v.string(),
  v.check((text) => /^https?:\/\/[^/]/i.test(text), 'an http or https URL'),
)

const names = {
  group_id: filledText,
  id: filledText,
  call_id: v.exactOptional(v.nullable(v.string())),
}

const invocationSchema: v.GenericSchema<unknown, ToolInvocation> = v.object({
  operation: filledText,
  // `null` stands for an operation without arguments.
  arguments: v.pipe(
    v.unknown(),
    v.transform((given) => given ?? {}),
    mapOf(v.unknown()),
  ),
  ...names,
  callback_url: httpUrl,
  user_id: v.exactOptional(v.nullable(v.string())),
  thread_ancestors: v.exactOptional(v.nullable(v.array(v.string()))),
})

const userChoiceSchema: v.GenericSchema<unknown, UserChoiceMessage> = v.pipe(
  v.object({
    type: v.literal('user_choice'),
    ...names,
    prompt: filledText,
    choices: v.pipe(
      v.array(label),
      v.minLength(1, 'at least one choice'),
      v.maxLength(QUESTION_LIMITS.options, `at most ${QUESTION_LIMITS.options} choices`),
      v.check(
        (labels) => new Set(labels.map(lookOf)).size === labels.length,
        'choices that can be told apart',
      ),
    ),
    default: v.number(),
    response_url: httpUrl,
  }),
  v.forward(
    v.check((message) => isSelection(message.choices, message.default), 'an index into choices'),
    ['default'],
  ),
)

const toolResultSchema: v.GenericSchema<unknown, ToolResultMessage> = v.pipe(
  v.object({
    type: v.literal('tool_result'),
    ...names,
    text: v.exactOptional(v.string()),
    content: v.exactOptional(v.array(v.unknown())),
    display_as: v.exactOptional(v.array(v.unknown())),
  }),
  v.check(({ text, content }) => text !== undefined || content !== undefined, 'text or content'),
)

const OTHER_TYPES = ['view_update', 'subscription_event', 'oauth'] as const

const otherSchema: v.GenericSchema<unknown, OtherMessage> = v.object({
  type: v.picklist(OTHER_TYPES),
  group_id: filledText,
})

/**
 * Reads what a runtime asks a tool to do.
 *
 * @throws AskError `INVALID_REQUEST` with every fault.
 */
export const parseInvocation = (input: unknown): ToolInvocation =>
  parseWith(invocationSchema, input, 'INVALID_REQUEST', 'This is no tool invocation')

/**
 * Reads the choice that a tool lets the user make.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export const parseUserChoice = (input: unknown): UserChoiceMessage =>
  parseWith(userChoiceSchema, input, 'INVALID_QUESTIONS', 'This choice cannot be shown')

/**
 * Reads what a tool posts to its callback URL.
 *
 * @throws AskError `INVALID_QUESTIONS` or `INVALID_REQUEST` with every fault.
 */
export function parseCallback(input: unknown): UserChoiceMessage | ToolResultMessage | OtherMessage {
  const type = isObject(input) ? input.type : undefined
  if (type === 'user_choice') return parseUserChoice(input)
  const schema = OTHER_TYPES.includes(type as OtherMessage['type']) ? otherSchema : toolResultSchema
  return parseWith<OtherMessage | ToolResultMessage>(
    schema,
    input,
    'INVALID_REQUEST',
    'This is no message that a tool sends',
  )
}

/** Whether this is a selection among these choices: the index of one. */
export const isSelection = (choices: readonly string[], selected: unknown): selected is number =>
  Number.isInteger(selected) && choices[selected as number] !== undefined
