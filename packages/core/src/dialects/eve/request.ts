import * as v from 'valibot'
import { isObject } from '../../lib/objects.ts'
import { listOf } from '../../lib/schema.ts'
import { approvalQuestion } from '../../permission/approval.ts'
import { reasonsOf } from '../../permission/reasons-of.ts'
import { QUESTION_LIMITS } from '../../question/limits.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import type { AskedQuestion, Question, QuestionOption } from '../../question/question.ts'
import type { ApprovalSubject } from '../../record/question-record.ts'
import { readRequest, withoutSecrets } from '../dialect.ts'

/** One of the `requests` of eve's event `input.requested`. */
export interface EveRequest {
  requestId: string
  /** `tool-approval` asks for a permission, `session-limit` whether the session may go on past a limit. */
  kind: 'question' | 'tool-approval' | 'session-limit'
  prompt: string
  options?: EveOption[] | undefined
  /** Whether words may be typed as an answer. Default: only where there are no options. */
  allowFreeform?: boolean | undefined
  display?: 'confirmation' | 'select' | 'text' | undefined
  /** The tool call that asks, or that needs the permission. */
  action: { kind: 'tool-call'; callId: string; toolName: string; input: Record<string, unknown> }
}

export interface EveOption {
  id: string
  label: string
  description?: string | undefined
  style?: 'primary' | 'danger' | 'default' | undefined
}

const optionSchema = v.object({
  id: v.string(),
  label: v.string(),
  description: v.optional(v.string()),
  style: v.optional(v.picklist(['primary', 'danger', 'default'])),
})

const requestSchema: v.GenericSchema<unknown, EveRequest> = v.object({
  requestId: v.string(),
  kind: v.picklist(['question', 'tool-approval', 'session-limit']),
  prompt: v.string(),
  options: v.optional(
    listOf(optionSchema, QUESTION_LIMITS.options, `at most ${QUESTION_LIMITS.options} options`),
  ),
  allowFreeform: v.optional(v.boolean()),
  display: v.optional(v.picklist(['confirmation', 'select', 'text'])),
  action: v.object({
    kind: v.literal('tool-call'),
    callId: v.string(),
    toolName: v.string(),
    input: v.custom<Record<string, unknown>>(isObject, 'an object'),
  }),
})

/** @throws AskError `INVALID_QUESTIONS` with every fault. */
export const readEveRequest = (input: unknown): EveRequest => readRequest(requestSchema, input)

/**
 * Reads one of the requests of `input.requested` as one question. A `tool-approval` is the question that every approval asks;
 * {@link parseSubject} reads its call.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const request = readEveRequest(input)
  return parseQuestions([
    request.kind === 'tool-approval' ? approvalQuestion(nameOf(request)) : questionOf(request),
  ])
}

function questionOf({ prompt, options = [], allowFreeform = options.length === 0 }: EveRequest): Question {
  return {
    question: prompt.trim() === '' ? 'A question without a text' : prompt,
    // Where nothing can be picked, only words are left.
    ...(options.length === 0 ? {} : { options: distinct(options), allowFreeText: allowFreeform }),
  }
}

/** Labels that are the same, or none, are told apart by their ids. Of two options with one id, eve takes the first. */
function distinct(options: readonly EveOption[]): QuestionOption[] {
  const byId = [...new Map([...options].reverse().map((option) => [option.id, option])).values()].reverse()
  const isClear = ({ id, label }: EveOption): boolean =>
    label.trim() !== '' && byId.every((other) => other.id === id || other.label !== label)
  return byId.map((option) => ({
    label: isClear(option) ? option.label : `${option.label} (${JSON.stringify(option.id)})`.trim(),
    value: option.id,
    ...(option.description?.trim() && { description: option.description }),
  }))
}

/**
 * The call that a `tool-approval` is for. The tool's own prompt is the reason, as a rule says it: the author of the tool wrote
 * it. `undefined` for other requests.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseSubject(input: unknown): ApprovalSubject | undefined {
  const request = readEveRequest(input)
  const { kind, prompt, action } = request
  if (kind !== 'tool-approval') return undefined
  const reasons = reasonsOf({ rule: [prompt] })
  return {
    toolName: nameOf(request),
    input: action.input,
    ...(reasons.length > 0 && { reasons }),
  }
}

/** It has spaces where there is none, so that nobody takes it for a name. */
const nameOf = ({ action }: EveRequest): string =>
  action.toolName.trim() === '' ? 'a tool without a name' : action.toolName

/**
 * Writes one question as a request for eve's own pages.
 *
 * @param call the ids of the request and of the call that asks
 * @throws AskError `INVALID_QUESTIONS` for what eve cannot ask: several questions, or several choices.
 */
export function formatRequest(
  questions: readonly Question[],
  { requestId, callId }: { requestId: string; callId: string },
): EveRequest {
  const [{ question, options, allowFreeText = true }] = readRequest(
    oneQuestion,
    parseQuestions(withoutSecrets(questions)),
  )
  return {
    requestId,
    kind: 'question',
    prompt: question,
    ...(options && {
      options: options.map(({ label, value = label, description }) => ({
        id: value,
        label,
        ...(description !== undefined && { description }),
      })),
    }),
    allowFreeform: allowFreeText,
    display: options ? 'select' : 'text',
    action: { kind: 'tool-call', callId, toolName: 'ask_question', input: { question } },
  }
}

const oneQuestion = v.strictTuple(
  [
    v.pipe(
      v.custom<AskedQuestion>(() => true),
      v.check(({ multiSelect }) => multiSelect !== true, 'a single choice'),
    ),
  ],
  'one question',
)
