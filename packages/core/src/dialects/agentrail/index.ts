import * as v from 'valibot'
import { answerTexts, decodeAnswers, encodeAnswers } from '../../answer/answer-text.ts'
import { isAnswer, type Responses, responseTo } from '../../answer/response.ts'
import { invalid } from '../../lib/errors.ts'
import { filledText, parseWith } from '../../lib/schema.ts'
import { parseQuestions } from '../../question/parse-questions.ts'
import { type AskedQuestion, optionValue, type Question } from '../../question/question.ts'
import type { Outcome } from '../../record/outcome.ts'
import { describeOutcome } from '../../record/outcome-text.ts'
import type { GivenAnswer, OutputOrError } from '../given-answer.ts'

export type { GivenAnswer, OutputOrError } from '../given-answer.ts'
export { AGENTRAIL_TOOL } from './tool.ts'

/** The parameters of AgentRail's tool: one question. */
export interface AgentRailRequest {
  question: string
  /** Shown below the question; pointless beside options. */
  hint?: string
  /** Labels, distinct. */
  options?: string[]
  /** Whether several options may be picked. Default false. */
  multiple?: boolean
  /** Whether an answer may be typed beside the options. Default true. */
  custom?: boolean
}

/** The event that tells a page of a question that waits. */
export interface WaitingForUserInput extends AgentRailRequest {
  type: 'waiting_for_user_input'
  toolCallId: string
}

/** What a page posts to `/api/sessions/:sessionId/respond`. */
export interface AgentRailAnswer {
  kind: 'question'
  /** Several options are joined by `", "`, see `encodeAnswers`. */
  answer: string
  /** Names the question where several wait. */
  toolCallId?: string
}

/** What the tool gives the model. */
export interface AgentRailResult {
  question: string
  answer: string
}

const requestSchema = v.object({
  question: filledText,
  hint: v.nullish(v.string()),
  options: v.nullish(v.array(filledText)),
  multiple: v.nullish(v.boolean()),
  custom: v.nullish(v.boolean()),
})

/**
 * Reads the parameters of AgentRail's tool, or the event of a question that waits. Other keys are passed over.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseRequest(input: unknown): AskedQuestion[] {
  const what = 'These questions cannot be asked'
  const { question, hint, options, multiple, custom } = parseWith(
    requestSchema,
    input,
    'INVALID_QUESTIONS',
    what,
  )
  return parseQuestions([
    {
      question,
      placeholder: hint,
      options: options?.map((label) => ({ label })),
      multiSelect: multiple,
      allowFreeText: custom,
    },
  ])
}

/**
 * Writes a question as the parameters of AgentRail's tool. It has no place for headers, descriptions, previews,
 * values, defaults and optional questions.
 *
 * @throws AskError `INVALID_QUESTIONS` for more than one question: each takes a call of its own.
 */
export function formatRequest(questions: readonly Question[]): AgentRailRequest {
  const [asked] = questions
  if (!asked || questions.length > 1)
    throw invalid('INVALID_QUESTIONS', 'These questions cannot be asked', [
      { path: 'questions', expected: 'one question' },
    ])
  const { question, placeholder, options, multiSelect, allowFreeText } = asked
  return {
    question,
    ...(placeholder !== undefined && { hint: placeholder }),
    ...(options && { options: options.map(({ label }) => label) }),
    ...(multiSelect !== undefined && { multiple: multiSelect }),
    ...(allowFreeText !== undefined && { custom: allowFreeText }),
  }
}

/**
 * The event for a question that waits. It says what is allowed, also where that is the default.
 *
 * @throws AskError as {@link formatRequest} does.
 */
export const formatEvent = (asked: {
  toolCallId: string
  questions: readonly Question[]
}): WaitingForUserInput => ({
  type: 'waiting_for_user_input',
  toolCallId: asked.toolCallId,
  multiple: false,
  custom: true,
  ...formatRequest(asked.questions),
})

/** Writes an outcome as the result of AgentRail's tool, which knows answers only, and no notes. */
export function formatResult(outcome: Outcome): OutputOrError<AgentRailResult> {
  const { questions, responses } = outcome
  const question = questions[0]
  if (!question || !isAnswer(responseTo(responses, question))) return { errorText: describeOutcome(outcome) }
  return { output: { question: question.question, answer: textOf(question, responses) } }
}

/** The answer as text. One label stands there as it is; several are quoted where they would read as another label. */
function textOf(question: AskedQuestion, responses: Responses): string {
  const texts = answerTexts(question, responses)
  const isLabel = (text: string): boolean => question.options?.some(({ label }) => label === text) ?? false
  const [only = '', ...others] = texts
  if (others.length === 0 && isLabel(only)) return only
  const joined = encodeAnswers([question], responses)[question.question] as string
  return isLabel(joined) ? texts.map((text) => JSON.stringify(text)).join(', ') : joined
}

/** Writes an outcome as a page of AgentRail posts it; `null` for one without an answer: it knows no other. */
export function formatAnswer(outcome: Outcome): AgentRailAnswer | null {
  const result = formatResult(outcome)
  return 'output' in result
    ? { kind: 'question', answer: result.output.answer, toolCallId: outcome.toolCallId }
    : null
}

const answerSchema = v.object({ kind: v.optional(v.literal('question')), answer: filledText })

/**
 * Reads what a page of AgentRail posts. Typed words lose the space around them.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(
  questions: readonly AskedQuestion[],
  input: unknown,
): GivenAnswer & { status: 'completed' } {
  const { answer } = parseWith(answerSchema, input, 'INVALID_ANSWERS', 'This is no answer of AgentRail')
  const [question] = questions
  const trimmed = answer.trim()
  if (!question) return { status: 'completed', responses: {} }
  // A label may begin or end with a space, and their page trims what it posts.
  const readings = [
    readingOf(question, answer),
    readingOf(question, trimmed),
    readingOf(withTrimmedLabels(question), trimmed),
    readingOf(
      withTrimmedLabels(question),
      trimmed
        .split(', ')
        .map((part) => part.trim())
        .join(', '),
    ),
  ]
  const best = readings.reduce((most, each) => (picks(each) > picks(most) ? each : most))
  return {
    status: 'completed',
    responses: picks(best) > 0 ? best : readingOf(question, trimmed),
  }
}

function readingOf(question: AskedQuestion, text: string): Responses {
  const whole = question.options?.find(({ label }) => label === text)
  if (whole) return { [question.id]: { selected: [optionValue(whole)], source: 'human' } }
  return decodeAnswers([question], { [question.question]: text })
}

const withTrimmedLabels = (question: AskedQuestion): AskedQuestion => ({
  ...question,
  options: (question.options ?? []).map((option) => ({
    label: option.label.trim(),
    value: optionValue(option),
  })),
})

/** How many options an answer picks. */
const picks = (responses: Responses): number =>
  Object.values(responses).reduce((sum, given) => sum + ('selected' in given ? given.selected.length : 0), 0)
