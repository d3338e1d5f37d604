import * as v from 'valibot'
import { isAnswer, type QuestionResponse, responseTo } from '../answer/response.ts'
import { invalid } from '../lib/errors.ts'
import { own } from '../lib/objects.ts'
import { filledText, mapOf, parseWith } from '../lib/schema.ts'
import { parseQuestions } from '../question/parse-questions.ts'
import { type AskedQuestion, findOption, type Question } from '../question/question.ts'
import type { Outcome } from '../record/outcome.ts'
import type { GivenAnswer } from './given-answer.ts'

export type { GivenAnswer } from './given-answer.ts'

export interface HarnessQuestion {
  id: string
  question: string
  header?: string
  options?: { id: string; label: string; description?: string; preview?: string }[]
  /** Default false. */
  allowMultiple?: boolean
  /** Default: only where there are no options. `{ secret: true }` is refused: answers are kept as text. */
  allowFreeForm?: boolean | { secret: boolean }
}

/** The input of the harness' `askUserQuestions`. */
export interface HarnessRequest {
  /** Whether a question may be left without an answer. */
  allowPartialAnswers: boolean
  questions: HarnessQuestion[]
}

/** The output of `askUserQuestions`. */
export type HarnessResult =
  | { action: 'answered' | 'partially-answered'; answers: Record<string, HarnessAnswer> }
  | { action: 'declined' | 'cancelled' }

/** The answer to one question. */
export interface HarnessAnswer {
  optionIds: string[]
  freeform?: string
}

const questionSchema = v.object({
  id: filledText,
  question: filledText,
  header: v.exactOptional(v.string()),
  options: v.exactOptional(
    v.array(
      v.object({
        id: filledText,
        label: filledText,
        description: v.exactOptional(v.string()),
        preview: v.exactOptional(v.string()),
      }),
    ),
  ),
  allowMultiple: v.exactOptional(v.boolean()),
  allowFreeForm: v.exactOptional(
    v.union(
      [v.boolean(), v.object({ secret: v.literal(false) })],
      'true, false or {"secret": false}: an answer would be kept as text, and so no secret',
    ),
  ),
})

const requestSchema = v.object({
  allowPartialAnswers: v.optional(v.boolean(), false),
  questions: v.pipe(v.array(questionSchema), v.minLength(1, 'at least one question')),
})

/**
 * Reads the input of `askUserQuestions`. Other keys are passed over.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const what = 'These questions cannot be asked'
  const { allowPartialAnswers, questions } = parseWith(requestSchema, input, 'INVALID_QUESTIONS', what)
  return parseQuestions(
    questions.map(({ id, question, header, options = [], allowMultiple, allowFreeForm }) => ({
      id,
      question,
      header,
      options:
        options.length > 0 ? options.map(({ id: value, ...option }) => ({ ...option, value })) : undefined,
      multiSelect: allowMultiple,
      allowFreeText: options.length === 0 || (allowFreeForm ?? false) !== false,
      required: allowPartialAnswers ? false : undefined,
    })),
  )
}

/**
 * Writes questions as the input of `askUserQuestions`. It has no place for placeholders and defaults; where one
 * question is optional, all are.
 *
 * @throws AskError `INVALID_QUESTIONS` for what is beyond its limits, such as an option with an empty value.
 */
export function formatRequest(questions: readonly Question[]): HarnessRequest {
  const request = {
    allowPartialAnswers: questions.some(({ required = true }) => !required),
    questions: parseQuestions(questions).map(
      ({ id, question, header, options, multiSelect, allowFreeText = true }): HarnessQuestion => ({
        id,
        question,
        ...(header !== undefined && { header }),
        ...(options && {
          options: options.map(({ value, ...option }) => ({ id: value ?? option.label, ...option })),
        }),
        ...(multiSelect !== undefined && { allowMultiple: multiSelect }),
        allowFreeForm: allowFreeText,
      }),
    ),
  }
  parseRequest(request)
  return request
}

/** Writes an outcome as the output of `askUserQuestions`, which has no place for notes and reasons. */
export function formatResult({ kind, questions, responses, unanswered }: Outcome): HarnessResult {
  if (kind === 'declined') return { action: 'declined' }
  if (kind !== 'answered' && kind !== 'partial') return { action: 'cancelled' }
  const answers = questions.flatMap((question): [string, HarnessAnswer][] => {
    const response = responseTo(responses, question)
    if (!isAnswer(response)) return []
    const { selected, freeText } = response
    return [[question.id, { optionIds: selected, ...(freeText?.trim() && { freeform: freeText }) }]]
  })
  return {
    action: unanswered.length > 0 ? 'partially-answered' : 'answered',
    answers: Object.fromEntries(answers),
  }
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
  const responses = questions.flatMap((question): [string, QuestionResponse][] => {
    const answer = own(answers, question.id)
    if (!answer) return isPartial ? [[question.id, { skipped: true }]] : []
    const { optionIds, freeform } = answer
    return [
      [
        question.id,
        { selected: optionIds, ...(freeform?.trim() && { freeText: freeform }), source: 'human' },
      ],
    ]
  })
  return { status: 'completed', responses: Object.fromEntries(responses) }
}
