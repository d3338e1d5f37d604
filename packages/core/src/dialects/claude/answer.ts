import * as v from 'valibot'
import {
  type AnswerTexts,
  decodeAnswers,
  encodeAnswers,
  questionTexts,
  unknownAnswers,
} from '../../answer/answer-text.ts'
import { byQuestion, isAnswer, type QuestionResponse, responseTo } from '../../answer/response.ts'
import { invalid } from '../../lib/errors.ts'
import { own } from '../../lib/objects.ts'
import { mapOf, parseWith } from '../../lib/schema.ts'
import { type AskedQuestion, findOption, isRequired } from '../../question/question.ts'
import { asModelsRead, type Outcome } from '../../record/outcome/outcome.ts'
import { describeOutcome } from '../../record/outcome/outcome-text.ts'
import { noteOf, readNote } from '../default-note.ts'
import type { GivenAnswer, OutputOrError } from '../dialect.ts'
import { claudeQuestion } from './request.ts'

/** What a session's init message lists when its binary takes `unanswered`; an older one refuses the whole answer. */
export const CLAUDE_UNANSWERED_CAPABILITY = 'ask_user_question_unanswered_v1'

/** What Claude's tool takes beside an answer. */
export interface ClaudeAnnotation {
  /** The preview of the option picked. */
  preview?: string
  /** Words beside the answer; the model reads them. */
  notes?: string
  /** Why there is no answer; only pages read it. */
  unanswered?: 'skipped' | 'replied_in_chat' | 'dismissed'
}

/** The input of Claude's tool once it is answered, and its output. The binary tells the model of it in words of its own. */
export type ClaudeAnswer = Record<string, unknown> & {
  /** As the model sent them. */
  questions: unknown
  answers: AnswerTexts
  /** By question text. */
  annotations?: Record<string, ClaudeAnnotation>
  /** What the person said instead of answering. */
  response?: string
}

// The binary skips a question without an answer and says that the questions have been answered. A question with a note is
// named: "(no option selected) notes: …".
const NO_CHOICE = 'Do not take this for a choice; say which assumption you make if you go on.'
const SKIPPED = `The user skipped this question. ${NO_CHOICE}`
const NOT_ANSWERED = `Nobody answered this question in time. ${NO_CHOICE}`

export interface ClaudeResultOptions {
  /** The tool's input as the model sent it; its questions are given back untouched. */
  input?: Readonly<Record<string, unknown>>
  /** Whether the session lists {@link CLAUDE_UNANSWERED_CAPABILITY}. Default false. */
  takesUnanswered?: boolean
  /**
   * Whether the reason for declining becomes `response`, a reply in words, which Claude takes for a success. Default false:
   * the reason stands in the error.
   */
  respond?: boolean
}

/** Writes an outcome as the output of Claude's tool, which is its answered input, too. */
export function formatResult(
  outcome: Outcome,
  { input, takesUnanswered = false, respond = false }: ClaudeResultOptions = {},
): OutputOrError<ClaudeAnswer> {
  const { kind, questions, responses, reason } = asModelsRead(outcome)
  const asked = { questions: input?.questions ?? questions.map(claudeQuestion) }
  if (respond && kind === 'declined' && reason) return { output: { ...asked, answers: {}, response: reason } }
  if (kind !== 'answered' && kind !== 'partial') return { errorText: describeOutcome(outcome) }
  const annotationTo = (question: AskedQuestion): ClaudeAnnotation | undefined => {
    const annotation = annotationOf(question, responseTo(responses, question), takesUnanswered)
    return Object.keys(annotation).length > 0 ? annotation : undefined
  }
  const annotations = byQuestion(questions, annotationTo, questionTexts(questions))
  const answers = encodeAnswers(questions, responses)
  return { output: { ...asked, answers, ...(Object.keys(annotations).length > 0 && { annotations }) } }
}

function annotationOf(
  question: AskedQuestion,
  response: QuestionResponse | undefined,
  takesUnanswered: boolean,
): ClaudeAnnotation {
  const notes = noteOf(response)
  if (isAnswer(response)) {
    const [picked] = response.selected
    const preview =
      question.multiSelect || picked === undefined ? undefined : findOption(question, picked)?.preview
    return { ...(preview !== undefined && { preview }), ...(notes !== undefined && { notes }) }
  }
  const isSkipped = response !== undefined && 'skipped' in response
  return {
    notes: notes ?? (isSkipped ? SKIPPED : NOT_ANSWERED),
    ...(isSkipped && takesUnanswered && { unanswered: 'skipped' }),
  }
}

const answerSchema = v.object({
  answers: v.optional(mapOf(v.string()), {}),
  annotations: v.optional(
    mapOf(
      v.object({
        notes: v.exactOptional(v.string()),
        unanswered: v.exactOptional(v.string()),
      }),
    ),
    {},
  ),
  response: v.exactOptional(v.string()),
})

/**
 * Reads what Claude's own clients give back: `answers` and `annotations` by question text, or a `response` in place
 * of answers.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export function parseAnswer(questions: readonly AskedQuestion[], input: unknown): GivenAnswer {
  const what = 'This is no answer of Claude’s tool'
  const { answers, annotations, response } = parseWith(answerSchema, input, 'INVALID_ANSWERS', what)
  const unknown = Object.entries({ answers, annotations }).flatMap(([part, texts]) =>
    unknownAnswers(questions, texts).map((key) => `${part}.${key}`),
  )
  if (unknown.length > 0)
    throw invalid(
      'INVALID_ANSWERS',
      what,
      unknown.map((path) => ({ path, expected: 'the text of one of the questions' })),
    )
  const given = decodeAnswers(questions, answers)
  const keys = questionTexts(questions)
  const responses = byQuestion(questions, ({ id }, index): QuestionResponse | undefined => {
    const answer = own(given, id)
    const { notes, unanswered } = own(annotations, keys[index] as string) ?? {}
    if (answer) return { ...answer, ...readNote(notes) }
    const said = notes?.trim() && notes !== SKIPPED && notes !== NOT_ANSWERED ? { notes } : {}
    const isSkipped = unanswered !== undefined || notes === SKIPPED || 'notes' in said
    return isSkipped ? { skipped: true, ...said } : undefined
  })
  const isEmptyForm = !response?.trim() && !questions.some(isRequired)
  if (isEmptyForm || Object.keys(responses).length > 0) return { status: 'completed', responses }
  return { status: 'declined', ...(response?.trim() && { reason: response }) }
}
