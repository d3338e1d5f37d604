import type { ChannelWarning, Clock, WarningCode } from '@sandagent/core'
import {
  parseUserChoice,
  type ToolResultMessage,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import { urlOf } from '../lib/call-token.ts'
import { deliver } from '../lib/deliver.ts'
import { messageOf } from '../lib/http.ts'
import { failureOf, rememberedNote, sendable, UNKNOWN_OPERATION } from '../lib/result-text.ts'
import type { Role } from '../machine/interpreter.ts'
import type { Decisions } from './decisions.ts'
import type { ChoiceRequest, InvokedCall, ToolOperation } from './operation.ts'
import * as steps from './tool-steps.ts'

export interface ToolParts {
  operations: Readonly<Record<string, ToolOperation>>
  decisions: Decisions
  /** The URL for selections, without the token of a call. */
  responseUrl: string
  fetch: typeof fetch
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
}

/** How long to try to send the choice to the runtime, in milliseconds. */
const CHOICE_MS = 2 * 60_000
/** How long to try to send the result, in milliseconds. */
const RESULT_MS = 24 * 60 * 60_000

/** What a tool does with one call. */
export function createToolRole(stored: steps.ToolRecord, parts: ToolParts): Role<steps.ToolRecord> {
  const { invocation, token } = stored
  const { group_id, id, call_id = null, user_id } = invocation
  const names = { group_id, id, call_id }
  const { operations, decisions, clock, onWarning } = parts
  const operation = Object.hasOwn(operations, invocation.operation)
    ? operations[invocation.operation]
    : undefined
  const cancelled = new AbortController()

  const warn = (code: WarningCode, message: string): void => onWarning({ code, message, toolCallId: id })

  const invokedCall = (signal: AbortSignal): InvokedCall => ({
    operation: invocation.operation,
    arguments: invocation.arguments,
    id,
    groupId: group_id,
    ...(typeof user_id === 'string' && { userId: user_id }),
    threadAncestors: invocation.thread_ancestors ?? [],
    signal: AbortSignal.any([signal, cancelled.signal]),
  })

  const choiceOf = ({ prompt, choices, default: index }: ChoiceRequest): UserChoiceMessage =>
    parseUserChoice({
      type: 'user_choice',
      ...names,
      prompt,
      choices,
      default: index,
      response_url: urlOf(parts.responseUrl, token),
    })

  const resultOf = (text: string, display: string | undefined): ToolResultMessage => ({
    type: 'tool_result',
    ...names,
    text,
    ...(display !== undefined && { display_as: [{ type: 'text', content: display }] }),
  })

  /** Resolves to whether the runtime has the message, or to `null` if sending was stopped. */
  const send = async (
    message: UserChoiceMessage | ToolResultMessage,
    signal: AbortSignal,
  ): Promise<boolean | null> => {
    const isChoice = message.type === 'user_choice'
    const giveUpMs = isChoice ? CHOICE_MS : RESULT_MS
    const what = isChoice ? 'choice' : 'result'
    const sent = await deliver(invocation.callback_url, message, { ...parts, giveUpMs, signal })
    if (sent.kind === 'stopped') return null
    if (sent.kind === 'refused') warn('REFUSED', `The runtime refused the ${what} (HTTP ${sent.status})`)
    if (sent.kind === 'unreachable') warn('UNREACHABLE', `The runtime could not be reached with the ${what}`)
    return sent.kind === 'delivered'
  }

  /** An error of the operation is a text for the model. */
  const attempt = async <T>(
    part: () => T | Promise<T>,
    signal: AbortSignal,
  ): Promise<{ value: T } | { failed: steps.ToolMove | null }> => {
    try {
      return { value: await part() }
    } catch (error) {
      if (signal.aborted) return { failed: null }
      warn('FAILED', messageOf(error))
      return { failed: steps.failed(failureOf(error)) }
    }
  }

  const decide = async (known: ToolOperation, signal: AbortSignal): Promise<steps.ToolMove | null> => {
    const decided = await attempt(async () => {
      const request = await known.confirm(invokedCall(signal))
      if (request) choiceOf(request)
      return request
    }, signal)
    if (signal.aborted) return null
    if ('failed' in decided) return decided.failed
    const request = decided.value
    if (!request) return steps.allowed(null)
    const remembered = await decisions.recall(invocation, request)
    if (!remembered) return steps.asked(request)
    const { decision, index } = remembered
    return steps.allowed({ index, label: decision.label, isRemembered: true }, rememberedNote(decision))
  }

  return {
    resumed: steps.resumed,
    overdue: steps.unanswered,

    async work({ step }, signal) {
      if (step.at === 'reporting')
        return (await send(resultOf(step.result, step.display), signal)) === null ? null : steps.reported
      if (step.at === 'ended') return null
      if (!operation) return steps.failed(UNKNOWN_OPERATION)
      if (step.at === 'deciding') return decide(operation, signal)
      if (step.at === 'choosing')
        return (await send(choiceOf(step.request), signal)) === false ? steps.unanswered : null
      if (step.at === 'keeping') {
        const { request, selected: index } = step
        await decisions.keep(invocation, request, index, clock.now())
        return steps.allowed({ index, label: request.choices[index] as string, isRemembered: false })
      }
      const done = await attempt(() => operation.perform(invokedCall(signal), step.picked), signal)
      return 'value' in done ? steps.performed(sendable(done.value)) : done.failed
    },

    onStep({ step }) {
      if (step.at === 'performing' && step.isCancelled) cancelled.abort()
    },

    onRefused({ code, message }) {
      const isLate = code === 'CONFLICT' || code === 'GONE'
      warn(isLate ? code : 'INVALID_ANSWERS', `A selection was refused: ${message}`)
    },
  }
}
