import * as v from 'valibot'
import { isAnswer, responseTo } from '../../answer/response.ts'
import { invalid } from '../../lib/errors.ts'
import { parseWith } from '../../lib/schema.ts'
import { approvalIn } from '../../permission/approval.ts'
import { APPROVAL_OPTIONS } from '../../question/approval-options.ts'
import { type AskedQuestion, allowsFreeText, findOption } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome } from '../../record/outcome/outcome-text.ts'
import type { GivenAnswer } from '../dialect.ts'
import { readEveRequest } from './request.ts'

/** One of the `inputResponses` that a client of eve sends. */
export interface EveResponse {
  requestId: string
  optionId?: string
  text?: string
}

/** The ids of the two options of a `tool-approval`. */
const APPROVE = 'approve'
const CANCEL = 'cancel'
const DECISIONS = new Map<string | undefined, string>([
  [APPROVE, APPROVAL_OPTIONS.allowOnce.value],
  [CANCEL, APPROVAL_OPTIONS.deny.value],
])

/**
 * Writes an outcome as the response to a request. A `tool-approval` that nobody allowed is cancelled, with a note that the
 * model reads. A question that takes words gets the ending in words. Where it takes none, only the whole turn can be cancelled.
 *
 * @throws AskError `INVALID_QUESTIONS` if it is no request.
 */
export function formatResult(outcome: Outcome, request: unknown): EveResponse | { cancelTurn: true } {
  const { requestId, kind, options = [], allowFreeform = options.length === 0 } = readEveRequest(request)
  if (kind === 'tool-approval') return { requestId, ...decisionIn(outcome) }
  const { questions, responses } = asModelsRead(outcome)
  const [question] = questions
  const response = question && responseTo(responses, question)
  // A default that stood in is told in words: an id alone would be a choice that nobody made.
  if (isAnswer(response) && response.source === 'human') {
    const [optionId] = response.selected
    return { requestId, ...(optionId === undefined ? { text: response.freeText ?? '' } : { optionId }) }
  }
  return allowFreeform || options.length === 0
    ? { requestId, text: describeOutcome(outcome) }
    : { cancelTurn: true }
}

function decisionIn(outcome: Outcome): Pick<EveResponse, 'optionId' | 'text'> {
  const { decision, note } = approvalIn(outcome)
  if (decision === 'allowOnce') return { optionId: APPROVE }
  const text = decision === undefined ? describeOutcome(outcome) : note
  return { optionId: CANCEL, ...(text && { text }) }
}

const responseSchema = v.object({
  requestId: v.string(),
  optionId: v.exactOptional(v.string()),
  text: v.exactOptional(v.string()),
})

/**
 * Reads the response of a client of eve to `formatRequest`, or to an approval with the options of every approval.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], input: unknown): GivenAnswer {
  const what = 'This is no answer of eve'
  const { optionId, text = '' } = parseWith(responseSchema, input, 'INVALID_ANSWERS', what)
  const [question] = questions
  const selected = [optionId, DECISIONS.get(optionId)].find(
    (value) => value !== undefined && question && findOption(question, value),
  )
  if (question && selected !== undefined) {
    const notes = text.trim() !== '' && { notes: text }
    return {
      status: 'completed',
      responses: { [question.id]: { selected: [selected], ...notes, source: 'human' } },
    }
  }
  if (question && optionId === undefined && text.trim() !== '' && allowsFreeText(question))
    return {
      status: 'completed',
      responses: { [question.id]: { selected: [], freeText: text, source: 'human' } },
    }
  throw invalid('INVALID_ANSWERS', what, [
    optionId === undefined
      ? { path: 'text', expected: 'an answer in words, where the question takes them' }
      : { path: 'optionId', expected: 'the id of one of the options' },
  ])
}
