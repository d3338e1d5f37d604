import { type Answers, answersOf } from '../../answer/answers.ts'
import { heldIn } from '../../answer/assumption.ts'
import { filesInWords } from '../../answer/files/files-in-words.ts'
import {
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
  unansweredIds,
} from '../../answer/response.ts'
import { MAX_TYPED_CHARS } from '../../question/limits.ts'
import { type AskedQuestion, isRequired } from '../../question/question.ts'
import type { OutcomeKind, Receipt, SettledRecord } from '../question-record.ts'

/** How a question ended: always a value, never an exception. */
export interface Outcome
  extends Pick<Receipt, 'settledAt' | 'answeredBy' | 'voters' | 'reason' | 'asksBack'> {
  /**
   * `answered`: a person answered every required question and skipped none. Where none is required, there may be no answer.
   * `partial`: a person skipped a question, or the time ran out and the agent got the draft. `declined`: a person declined to
   * answer; with `asksBack`, they have not decided, and `reason` is their question. `timed-out`: nobody answered in time.
   * `aborted`: the agent withdrew the question.
   */
  kind: OutcomeKind
  toolCallId: string
  questions: AskedQuestion[]
  /** What was answered, by question id and by question text: labels and typed words. */
  answers: Answers
  /** By question id. A response says itself whether a person or a default gave it. */
  responses: Responses
  /** The ids of the secrets that were given, by question id: `takeSecret` reads each once. Their responses say so in words. */
  secrets?: Record<string, string>
  /** Ids of the questions without an answer, in the order asked. */
  unanswered: string[]
  /**
   * Of a question that did not block: whether what its asker went on with holds, by question id. A question without a default
   * or without an answer has no key.
   */
  held?: Record<string, boolean>
  /** Milliseconds from asked to settled. */
  elapsedMs: number
}

/** The outcome of a settled record: always the same, and whole. */
export function outcomeOf(record: SettledRecord): Outcome {
  const responses = mapped(record.responses, (response) => withoutForeignInput(response, record))
  return {
    kind: record.state,
    toolCallId: record.toolCallId,
    questions: record.questions,
    answers: answersOf(record.questions, filesInWords(responses)),
    responses,
    unanswered: unansweredIds(record.questions, record.responses),
    ...(record.blocking === false && { held: heldIn(record.questions, record.responses) }),
    ...(record.answeredBy !== undefined && { answeredBy: record.answeredBy }),
    ...(record.voters && { voters: record.voters }),
    ...(record.reason !== undefined && { reason: record.reason }),
    ...(record.asksBack && { asksBack: record.asksBack }),
    settledAt: record.settledAt,
    elapsedMs: Math.max(0, Date.parse(record.settledAt) - Date.parse(record.askedAt)),
  }
}

/** The same responses and reason as a model reads them: long texts are cut. Programs get them whole. */
export const asModelsRead = <T extends Pick<Outcome, 'responses'> & { reason?: string | undefined }>(
  outcome: T,
): T => ({
  ...outcome,
  responses: mapped(outcome.responses, cutTexts),
  ...(outcome.reason !== undefined && { reason: cutText(outcome.reason) }),
})

/** A text that a person typed, as long as a model reads it. A text that is cut says so at its end. */
export function cutText(text: string): string {
  if (text.length <= MAX_TYPED_CHARS) return text
  const note = ` … (cut here: of ${text.length} characters, a model reads ${MAX_TYPED_CHARS})`
  return text.slice(0, MAX_TYPED_CHARS - note.length) + note
}

const mapped = <T, U>(map: Readonly<Record<string, T>>, change: (value: T) => U): Record<string, U> =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]))

/** An input that nobody could edit is somebody else's word, in a receipt that was forged. */
const withoutForeignInput = (given: QuestionResponse, { subject }: SettledRecord): QuestionResponse => {
  const { input, ...response }: QuestionResponse & { input?: unknown } = given
  return { ...response, ...(input !== undefined && subject?.editable && { input }) }
}

const cutTexts = (response: QuestionResponse): QuestionResponse => ({
  ...response,
  ...('freeText' in response && response.freeText !== undefined && { freeText: cutText(response.freeText) }),
  ...(response.notes !== undefined && { notes: cutText(response.notes) }),
})

/**
 * The kind of a submission. With a skipped question it is partial. Without any answer it is declined, but not if nothing was
 * required and nothing skipped: to send such a form is no refusal.
 */
export function submittedKind(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): 'answered' | 'partial' | 'declined' {
  const given = questions.flatMap((question) => responseTo(responses, question) ?? [])
  const hasSkipped = given.some((response) => 'skipped' in response)
  if (given.some(isAnswer)) return hasSkipped ? 'partial' : 'answered'
  return hasSkipped || questions.some(isRequired) ? 'declined' : 'answered'
}
