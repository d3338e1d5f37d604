import { isSelection } from '@sandagent/core/dialects/user-choice'
import { AskError } from '@sandagent/core/internal'
import * as v from 'valibot'
import { CANCELLED, displayOf, FLOW_FAILED, INTERRUPTED } from '../lib/result-text.ts'
import { CALL_ENTRIES } from '../machine/call-records.ts'
import type { Move } from '../machine/interpreter.ts'
import type { ChoiceRequest, Picked } from './operation.ts'

const request: v.GenericSchema<unknown, ChoiceRequest> = v.object({
  prompt: v.string(),
  choices: v.array(v.string()),
  default: v.number(),
  remember: v.exactOptional(v.object({ choices: v.array(v.number()), scope: v.string() })),
})
const picked = v.nullable(v.object({ index: v.number(), label: v.string(), isRemembered: v.boolean() }))
const text = v.exactOptional(v.string())

/** Where a call of a tool is. */
const stepSchema = v.variant('at', [
  /** The operation says whether the user has to choose. */
  v.object({ at: v.literal('deciding') }),
  /** The runtime gets the choice, and the selection is waited for. */
  v.object({ at: v.literal('choosing'), request, until: v.string() }),
  /** The selection is remembered, if it holds for the conversation. */
  v.object({ at: v.literal('keeping'), request, selected: v.number() }),
  /** The operation acts. It is begun once. `note`: for people, beside the result. */
  v.object({ at: v.literal('performing'), picked, note: text, isCancelled: v.exactOptional(v.boolean()) }),
  /** The runtime gets the result. `display`: for people, in its place. */
  v.object({ at: v.literal('reporting'), result: v.string(), display: text }),
  /** The runtime has the result, refused it, or could not be reached. */
  v.object({ at: v.literal('ended'), endedAt: v.string() }),
])

/** A call as the tool stores it. */
export const toolRecordSchema = v.object({
  ...CALL_ENTRIES,
  /** The selection that came: index into the choices. */
  selected: v.exactOptional(v.number()),
  step: stepSchema,
})

export type ToolStep = v.InferOutput<typeof stepSchema>
export type ToolRecord = v.InferOutput<typeof toolRecordSchema>
export type ToolMove = Move<ToolRecord>

const to = (call: ToolRecord, step: ToolStep): { call: ToolRecord } => ({ call: { ...call, step } })

const report = (call: ToolRecord, result: string, note?: string): { call: ToolRecord } =>
  to(call, { at: 'reporting', result, ...(note !== undefined && { display: displayOf(result, note) }) })

/** Nobody can tell whether doing it twice does harm. */
export const resumed: ToolMove = (call) =>
  call.step.at === 'performing' ? report(call, INTERRUPTED) : { call }

/** The operation has a choice for the user. */
export const asked =
  (request: ChoiceRequest): ToolMove =>
  (call, _now, limit) =>
    to(call, { at: 'choosing', request, until: limit })

/** The runtime does not show the choice, or nobody makes it. */
export const unanswered: ToolMove = (call) => report(call, FLOW_FAILED)

/** The runtime sent a selection. `fault`: why the whole message is none. */
export const selected =
  (index: unknown, fault?: AskError): ToolMove =>
  (call) => {
    const { step, selected } = call
    if (selected !== undefined && selected === index) return { call }
    if (selected !== undefined)
      return { call, refusal: new AskError('CONFLICT', 'Another selection came first') }
    if (step.at !== 'choosing')
      return { call, refusal: new AskError('GONE', 'This call waits for no selection') }
    const { request } = step
    if (isSelection(request.choices, index))
      return to({ ...call, selected: index }, { at: 'keeping', request, selected: index })
    const why = 'This is no selection: expected the index of a choice'
    return { ...report(call, FLOW_FAILED), refusal: fault ?? new AskError('INVALID_ANSWERS', why) }
  }

/** The operation may act. */
export const allowed =
  (picked: Picked | null, note?: string): ToolMove =>
  (call) =>
    to(call, { at: 'performing', picked, ...(note !== undefined && { note }) })

export const performed =
  (result: string): ToolMove =>
  (call) =>
    report(call, result, call.step.at === 'performing' ? call.step.note : undefined)

/** The operation failed. `text`: for the model. */
export const failed =
  (text: string): ToolMove =>
  (call) =>
    report(call, call.step.at === 'performing' && call.step.isCancelled ? CANCELLED : text)

export const cancelled: ToolMove = (call) => {
  const { step } = call
  if (step.at === 'reporting' || step.at === 'ended') return { call }
  return step.at === 'performing' ? to(call, { ...step, isCancelled: true }) : report(call, CANCELLED)
}

/** The runtime has the result, or never will. */
export const reported: ToolMove = (call, now) => to(call, { at: 'ended', endedAt: now })
