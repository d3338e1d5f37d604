import type { Responses } from '../../answer/response.ts'
import { type Fault, invalid } from '../../lib/errors.ts'
import { isObject, own } from '../../lib/objects.ts'
import { parseWith } from '../../lib/schema.ts'
import { jsonOrText } from '../../lib/text/json-or-text.ts'
import { approvalIn } from '../../permission/approval.ts'
import { APPROVAL_OPTIONS } from '../../question/approval-options.ts'
import type { AskedQuestion } from '../../question/question.ts'
import type { Outcome } from '../../record/outcome/outcome.ts'
import type { GivenAnswer } from '../dialect.ts'
import {
  type ElicitationResult,
  faultyQuestions as faultyFields,
  formatResult as formatElicitation,
} from '../mcp/content.ts'
import { formatRequest as formatForm, parseAnswer as parseForm } from '../mcp/form.ts'
import { approvalSchemaIn } from './approval-schema.ts'
import { formOf } from './form.ts'
import { type Interrupt, OURS, oursIn, type ResumeEntry, readInterrupt, resumeSchema } from './interrupt.ts'
import { ownQuestions } from './request.ts'

const WHAT = 'This is no answer to the interrupt'

/**
 * Reads an entry of `resume`. `cancelled` declines: the protocol knows no interrupt that is left open.
 *
 * @param options.kind an approval is answered with `approved` and `editedArgs`
 * @throws AskError `INVALID_ANSWERS` with every fault
 */
export function parseAnswer(
  questions: readonly AskedQuestion[],
  input: unknown,
  { kind = 'question' }: { kind?: 'question' | 'approval' | undefined } = {},
): GivenAnswer {
  const entry = parseWith(resumeSchema, input, 'INVALID_ANSWERS', WHAT)
  const { status, payload } = entry
  const { note, reason } = oursIn(entry)
  if (status === 'cancelled')
    return { status: 'declined', ...(typeof reason === 'string' && reason.trim() !== '' && { reason }) }
  if (kind === 'question') {
    const answer = parseForm(questions, { action: 'accept', content: payload })
    return answer ?? { status: 'declined' }
  }
  const [question] = questions
  const approved = isObject(payload) ? own(payload, 'approved') : undefined
  if (!question || !isObject(payload) || typeof approved !== 'boolean')
    throw invalid('INVALID_ANSWERS', WHAT, [{ path: 'payload.approved', expected: 'true or false' }])
  const { allowOnce, deny } = APPROVAL_OPTIONS
  const editedArgs = own(payload, 'editedArgs') ?? undefined
  const response = {
    selected: [approved ? allowOnce.value : deny.value],
    source: 'human' as const,
    ...(typeof note === 'string' && note.trim() !== '' && { notes: note }),
    ...(approved && editedArgs !== undefined && { input: editedArgs }),
  }
  return { status: 'completed', responses: { [question.id]: response } }
}

/**
 * Writes the outcome of `parseInterrupt` as an entry of `resume`. What nobody decided is `cancelled`. Answers that do not fit
 * the schema are faults, see the dialect of MCP.
 *
 * @throws AskError `INVALID_QUESTIONS` if it is no interrupt
 */
export function formatResult(outcome: Outcome, input: unknown): ResumeEntry | { faults: Fault[] } {
  const interrupt = readInterrupt(input)
  const { id: interruptId } = interrupt
  if (approvalSchemaIn(interrupt)) return approvalResult(outcome, interruptId)
  const questions = ownQuestions(interrupt)
  const { result, payloadOf } = questions
    ? { result: ownResult(outcome, questions), payloadOf: (content: unknown) => content }
    : formResult(outcome, interrupt)
  if ('faults' in result) return result
  if (result.action !== 'accept') return cancelled(outcome, interruptId)
  const payload = payloadOf(result.content ?? {})
  return { interruptId, status: 'resolved', ...(payload !== undefined && { payload }) }
}

/** The questions that the faults of `formatResult` are about, each with what was wrong with its answer. */
export function faultyQuestions(
  input: unknown,
  questions: readonly AskedQuestion[],
  faults: readonly Fault[],
): AskedQuestion[] {
  const interrupt = readInterrupt(input)
  const own = ownQuestions(interrupt)
  return faultyFields(own ? formatForm(own) : formOf(interrupt).form.params, questions, faults)
}

function approvalResult(outcome: Outcome, interruptId: string): ResumeEntry {
  const { decision, note, input } = approvalIn(outcome)
  if (decision === undefined) return cancelled(outcome, interruptId)
  const approved = decision !== 'deny'
  return {
    interruptId,
    status: 'resolved',
    payload: { approved, ...(input !== undefined && { editedArgs: input }) },
    ...(note && { metadata: { [OURS]: { note } } }),
  }
}

/** Nobody decided, or a person will not. Their reason is no payload. */
const cancelled = ({ reason }: Outcome, interruptId: string): ResumeEntry => ({
  interruptId,
  status: 'cancelled',
  ...(reason !== undefined && { metadata: { [OURS]: { reason } } }),
})

/** Our own form has names of its own. */
function ownResult(
  outcome: Outcome,
  questions: readonly AskedQuestion[],
): ElicitationResult | { faults: Fault[] } {
  const responses: Responses = Object.fromEntries(
    questions.flatMap(({ id }, index) => {
      const response = own(outcome.responses, id)
      return response ? [[`question_${index + 1}`, response]] : []
    }),
  )
  return formatElicitation({ ...outcome, responses }, formatForm(questions))
}

function formResult(outcome: Outcome, interrupt: Interrupt) {
  const { form } = formOf(interrupt)
  const { params, jsonFields, only } = form
  const payloadOf = (content: Readonly<Record<string, unknown>>): unknown => {
    const read = Object.entries(content).map(([name, value]): [string, unknown] => [
      name,
      jsonFields.has(name) && typeof value === 'string' ? jsonOrText(value) : value,
    ])
    const fields = Object.fromEntries(read)
    return only === undefined ? fields : own(fields, only)
  }
  return { result: formatElicitation(outcome, params), payloadOf }
}
