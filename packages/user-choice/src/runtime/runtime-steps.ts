import { isDeepStrictEqual } from 'node:util'
import {
  type CallNames,
  type parseCallback,
  parseUserChoice,
  type ToolInvocation,
  type ToolResultMessage,
} from '@sandagent/core/dialects/user-choice'
import { AskError, type AskErrorCode } from '@sandagent/core/internal'
import * as v from 'valibot'
import { isRefusal } from '../lib/http.ts'
import { FLOW_FAILED, UNCERTAIN, WITHDRAWN } from '../lib/result-text.ts'
import { CALL_ENTRIES } from '../machine/call-records.ts'
import type { Move } from '../machine/interpreter.ts'

/** The result of a tool call. */
export interface UserChoiceResult {
  /** For the model. */
  text?: string
  /** For the model: texts and images that go before `text`. */
  content?: unknown[]
  /** For people, in place of the rest. */
  displayAs?: unknown[]
}

const message = v.pipe(v.unknown(), v.transform(parseUserChoice))
const until = v.exactOptional(v.string())
const result = v.object({
  text: v.exactOptional(v.string()),
  content: v.exactOptional(v.array(v.unknown())),
  displayAs: v.exactOptional(v.array(v.unknown())),
})

/**
 * Where a call of a runtime is. Where `until` is set, the tool has that long to send something valid. Then the call fails.
 */
const stepSchema = v.variant('at', [
  /** The invocation is sent, once. */
  v.object({ at: v.literal('sending'), until }),
  /** A process stopped while it sent the invocation. Whether the tool has it is unknown. */
  v.object({ at: v.literal('unsure'), until: v.string() }),
  /** The tool has the invocation. */
  v.object({ at: v.literal('waiting'), until }),
  /** The user chooses. `result`: it came already, and the question is withdrawn. */
  v.object({ at: v.literal('asking'), message, receivedAt: v.string(), result: v.exactOptional(result) }),
  /** The tool gets the selection. */
  v.object({ at: v.literal('telling'), message, selected: v.number() }),
  /** The tool took the selection, or refused it. */
  v.object({ at: v.literal('told'), message, until }),
  v.object({ at: v.literal('ended'), result, endedAt: v.string() }),
])

/** A call as the runtime stores it. */
export const runtimeRecordSchema = v.object({
  ...CALL_ENTRIES,
  endpoint: v.string(),
  /** Nobody waits for the result any more. */
  dismissed: v.exactOptional(v.boolean()),
  step: stepSchema,
})

export type RuntimeStep = v.InferOutput<typeof stepSchema>
export type AskingStep = Extract<RuntimeStep, { at: 'asking' }>
export type RuntimeRecord = v.InferOutput<typeof runtimeRecordSchema>
export type RuntimeMove = Move<RuntimeRecord>

type Moved = ReturnType<RuntimeMove>

const to = (call: RuntimeRecord, step: RuntimeStep): Moved => ({ call: { ...call, step } })

const isUnheard = ({ at }: RuntimeStep): boolean => at === 'sending' || at === 'unsure'

export const resultIn = (step: RuntimeStep): UserChoiceResult | undefined =>
  'result' in step ? step.result : undefined

/** A second invocation could do the work twice. */
export const resumed: RuntimeMove = (call, _now, limit) => {
  const { step } = call
  return step.at === 'sending' ? to(call, { at: 'unsure', until: step.until ?? limit }) : { call }
}

export const overdue: RuntimeMove = (call, now, limit) =>
  ended({ text: isUnheard(call.step) ? UNCERTAIN : FLOW_FAILED })(call, now, limit)

/** The tool has the invocation. */
export const heard: RuntimeMove = (call) => {
  const { step } = call
  if (step.at === 'unsure') return to(call, { at: 'waiting' })
  return step.at === 'sending' ? to(call, { ...step, at: 'waiting' }) : { call }
}

/** The call has its result. */
export const ended =
  (result: UserChoiceResult): RuntimeMove =>
  (call, now) => {
    const { step } = call
    return to(call, step.at === 'asking' ? { ...step, result } : { at: 'ended', result, endedAt: now })
  }

/** Nobody waits for the result any more. */
export const dismissed: RuntimeMove = (call, now, limit) => {
  if (resultIn(call.step)) return { call }
  return isUnheard(call.step)
    ? ended({ text: WITHDRAWN })(call, now, limit)
    : { call: { ...call, dismissed: true } }
}

/** The tool sent a message. `isReachable`: whether the selection may be posted to its response URL. */
export const taken =
  (message: ReturnType<typeof parseCallback>, isReachable: boolean): RuntimeMove =>
  (call, now, limit) => {
    const { step, invocation } = call
    const no = (code: AskErrorCode, why: string): Moved => refused(new AskError(code, why))(call, now, limit)
    const result = resultIn(step)
    if (!isAbout(message, invocation)) return no('NOT_FOUND', 'This message is about another call')
    if (message.type === 'tool_result') {
      if (!result) return ended(resultOf(message))(call, now, limit)
      if (isDeepStrictEqual(result, resultOf(message))) return { call }
      return no('CONFLICT', 'This call has ended with another result')
    }
    if (message.type !== 'user_choice') return heard(call, now, limit)
    if (result) return no('GONE', 'This call has ended')
    if ('message' in step && isDeepStrictEqual(step.message, message)) return { call }
    if ('message' in step) return no('CONFLICT', 'This call has asked for another choice')
    if (!isReachable) return no('FORBIDDEN', 'The response URL is neither at the tool nor allowed')
    if (call.dismissed) return to(call, { at: 'telling', message, selected: message.default })
    return to(call, { at: 'asking', message, receivedAt: now })
  }

/** A message of the tool is refused. The tool has a while to end its call, unless a choice is still on its way. */
export const refused =
  (refusal: AskError): RuntimeMove =>
  (call, _now, limit) => {
    const { step } = call
    const mayFail = step.at === 'sending' || step.at === 'waiting' || step.at === 'told'
    const moved = mayFail && !step.until ? to(call, { ...step, until: limit }) : { call }
    return { ...moved, refusal }
  }

/** The user could not be asked. */
export const unaskable =
  (error: unknown): RuntimeMove =>
  (call, now, limit) => {
    const { call: left } = afterQuestion(call, { at: 'waiting' }, now)
    return isRefusal(error) ? refused(error)(left, now, limit) : { call: left }
  }

/** The user chose, or the default holds. */
export const chosen =
  (selected: number): RuntimeMove =>
  (call, now) => {
    const { step } = call
    if (step.at !== 'asking') return { call }
    return afterQuestion(call, { at: 'telling', message: step.message, selected }, now)
  }

/** The question is over: a result that came meanwhile counts. */
function afterQuestion(call: RuntimeRecord, next: RuntimeStep, now: string): Moved {
  const result = resultIn(call.step)
  return to(call, result ? { at: 'ended', result, endedAt: now } : next)
}

/** The tool took the selection, or refused it. */
export const told =
  (isRefused: boolean): RuntimeMove =>
  (call, _now, limit) => {
    const { step } = call
    if (step.at !== 'telling') return { call }
    return to(call, { at: 'told', message: step.message, ...(isRefused && { until: limit }) })
  }

const resultOf = ({ text, content, display_as }: ToolResultMessage): UserChoiceResult => ({
  ...(text !== undefined && { text }),
  ...(content !== undefined && { content }),
  ...(display_as !== undefined && { displayAs: display_as }),
})

/** Whether a message is about the call of its URL. Tools may leave out the names of the call. */
export const isAbout = (message: Partial<CallNames>, { group_id, id, call_id }: ToolInvocation): boolean =>
  message.group_id === group_id && (message.id ?? id) === id && (message.call_id ?? call_id) === call_id
