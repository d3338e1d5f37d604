import { type AnswerTexts, answerKeys, encodeAnswers } from '../answer-text.ts'
import type { Outcome } from '../outcome.ts'
import { isObject } from '../own.ts'
import { parseQuestions } from '../parse-questions.ts'
import { type AskedQuestion, findOption } from '../question.ts'
import { isAnswer, responseTo } from '../response.ts'

/** The name of Claude's tool for questions. */
export const CLAUDE_ASK_TOOL = 'AskUserQuestion'

/** What a session's init message lists when its binary takes `unanswered`; an older one refuses the whole answer. */
export const CLAUDE_UNANSWERED_CAPABILITY = 'ask_user_question_unanswered_v1'

/** What Claude's tool takes beside an answer. */
export interface ClaudeAnnotation {
  /** The preview of the option picked. */
  preview?: string
  /** Words beside the answer; the model reads them. */
  notes?: string
  /** Why there is no answer; only pages read it. */
  unanswered?: 'skipped'
}

/** The input of Claude's tool once it is answered. The binary tells the model of it in words of its own. */
export type ClaudeAnswer = Record<string, unknown> & {
  /** As the model sent them. */
  questions: unknown
  answers: AnswerTexts
  /** By question text. */
  annotations?: Record<string, ClaudeAnnotation>
}

/**
 * Reads the questions of Claude's tool. Its schema shows the model the places for the answers too, so a model may
 * fill them in; here they are left out, as is every other key that Claude's questions do not have.
 *
 * @throws AskError `INVALID_QUESTIONS` with every fault.
 */
export function parseClaudeQuestions(input: unknown): AskedQuestion[] {
  const entries = isObject(input) ? input.questions : undefined
  return parseQuestions(Array.isArray(entries) ? entries.map(knownKeys) : entries)
}

const knownKeys = (entry: unknown): unknown => {
  if (!isObject(entry)) return entry
  const { question, header, options, multiSelect } = entry
  return { question, header, options, multiSelect }
}

// The binary passes over a question without an answer and says that the questions have been answered, as if none
// was open. A note is the one way to have it named; the binary then writes "(no option selected) notes: …".
const SKIPPED = 'The user skipped this question.'
const NOT_ANSWERED = 'Nobody answered this question in time.'
const NO_CHOICE = 'Do not take this for a choice; say which assumption you make if you go on.'

/**
 * Writes an outcome as the answered input of Claude's tool.
 *
 * @param input the tool's input as the model sent it
 * @param takesUnanswered whether the session lists {@link CLAUDE_UNANSWERED_CAPABILITY}
 */
export function claudeAnswerOf(
  input: Readonly<Record<string, unknown>>,
  outcome: Outcome,
  { takesUnanswered }: { takesUnanswered: boolean },
): ClaudeAnswer {
  const { questions, responses } = outcome
  const keys = answerKeys(questions)
  const annotations = questions.flatMap((question, index): [string, ClaudeAnnotation][] => {
    const annotation = annotationOf(question, outcome, takesUnanswered)
    return Object.keys(annotation).length > 0 ? [[keys[index] as string, annotation]] : []
  })
  return {
    questions: input.questions,
    answers: encodeAnswers(questions, responses),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
  }
}

function annotationOf(
  question: AskedQuestion,
  { responses }: Outcome,
  takesUnanswered: boolean,
): ClaudeAnnotation {
  const response = responseTo(responses, question)
  const notes = response?.notes?.trim() ? response.notes : undefined
  if (isAnswer(response)) {
    const [picked] = response.selected
    const preview =
      question.multiSelect || picked === undefined ? undefined : findOption(question, picked)?.preview
    return { ...(preview !== undefined && { preview }), ...(notes !== undefined && { notes }) }
  }
  const isSkipped = response !== undefined && 'skipped' in response
  return {
    notes: notes ?? `${isSkipped ? SKIPPED : NOT_ANSWERED} ${NO_CHOICE}`,
    ...(isSkipped && takesUnanswered && { unanswered: 'skipped' }),
  }
}
