import * as v from 'valibot'
import { byQuestion, isAnswer, type QuestionResponse, responseTo } from '../../answer/response.ts'
import { invalid } from '../../lib/errors.ts'
import { own } from '../../lib/objects.ts'
import { mapOf, parseWith } from '../../lib/schema.ts'
import { type AskedQuestion, findOption } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import type { GivenAnswer } from '../dialect.ts'

/** The output of `askUserQuestions`. */
export type HarnessResult =
  | { action: 'answered' | 'partially-answered'; answers: Record<string, HarnessAnswer> }
  | { action: 'declined' | 'cancelled' }

/** The answer to one question. */
export interface HarnessAnswer {
  optionIds: string[]
  freeform?: string
}

/** Writes an outcome as the output of `askUserQuestions`, which has no place for notes and reasons. */
export function formatResult(outcome: Outcome): HarnessResult {
  const { kind, questions, responses, unanswered } = asModelsRead(outcome)
  if (kind === 'declined') return { action: 'declined' }
  if (kind !== 'answered' && kind !== 'partial') return { action: 'cancelled' }
  const answers = byQuestion(questions, (question): HarnessAnswer | undefined => {
    const response = responseTo(responses, question)
    if (!isAnswer(response)) return undefined
    const { selected, freeText } = response
    return { optionIds: selected, ...(freeText?.trim() && { freeform: freeText }) }
  })
  return { action: unanswered.length > 0 ? 'partially-answered' : 'answered', answers }
}

const answersSchema = mapOf(
  v.object({ optionIds: v.array(v.string()), freeform: v.exactOptional(v.string()) }),
)
const resultSchema = v.variant('action', [
  v.object({ action: v.picklist(['answered', 'partially-answered']), answers: answersSchema }),
  v.object({ action: v.picklist(['declined', 'cancelled']) }),
])

/**
 * Reads the output of `askUserQuestions` that another client gave. A question left out of partial answers was skipped.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], input: unknown): GivenAnswer {
  const what = 'This is no answer of the harness'
  const result = parseWith(resultSchema, input, 'INVALID_ANSWERS', what)
  if (!('answers' in result)) return { status: 'declined' }
  const { answers } = result
  const known = new Set(questions.map(({ id }) => id))
  const faults = [
    ...Object.keys(answers)
      .filter((id) => !known.has(id))
      .map((id) => ({ path: `answers.${id}`, expected: 'the id of one of the questions' })),
    ...questions.flatMap((question) =>
      (own(answers, question.id)?.optionIds ?? []).flatMap((optionId, index) =>
        findOption(question, optionId)
          ? []
          : [{ path: `answers.${question.id}.optionIds.${index}`, expected: 'the id of one of the options' }],
      ),
    ),
  ]
  if (faults.length > 0) throw invalid('INVALID_ANSWERS', what, faults)
  const isPartial = result.action === 'partially-answered'
  const responses = byQuestion(questions, ({ id }): QuestionResponse | undefined => {
    const answer = own(answers, id)
    if (!answer) return isPartial ? { skipped: true } : undefined
    const { optionIds, freeform } = answer
    return { selected: optionIds, ...(freeform?.trim() && { freeText: freeform }), source: 'human' }
  })
  return { status: 'completed', responses }
}
