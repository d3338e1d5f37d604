import * as v from 'valibot'
import { answerTexts, decodeAnswers, encodeAnswers } from '../../answer/answer-text.ts'
import { isAnswer, type Responses, responseTo } from '../../answer/response.ts'
import { filledText, parseWith } from '../../lib/schema.ts'
import { type AskedQuestion, optionValue } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome } from '../../record/outcome/outcome-text.ts'
import type { GivenAnswer, OutputOrError } from '../dialect.ts'

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

/** Writes an outcome as the result of AgentRail's tool, which knows answers only, and no notes. */
export function formatResult(outcome: Outcome): OutputOrError<AgentRailResult> {
  const { questions, responses } = asModelsRead(outcome)
  const question = questions[0]
  if (!question || !isAnswer(responseTo(responses, question))) return { errorText: describeOutcome(outcome) }
  return { output: { question: question.question, answer: textOf(question, responses) } }
}

/** The answer as text. One label stands there as it is; several are quoted where they would read as another label. */
function textOf(question: AskedQuestion, responses: Responses): string {
  const texts = answerTexts(question, responses)
  const isLabel = (text: string): boolean => (question.options ?? []).some(({ label }) => label === text)
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
