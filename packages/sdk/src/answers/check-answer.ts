import {
  type AnswerRequest,
  type AnswerStatus,
  AskError,
  type AskedQuestion,
  type BoundAnswerFile,
  decodeAnswers,
  encodeAnswers,
  type Fault,
  isComplete,
  parseQuestions,
  type Question,
  type QuestionState,
  questionDigestOf,
  type Responses,
  sameQuestions,
  unansweredIds,
  unknownAnswers,
  validateResponses,
} from '@sandagent/core/internal'

/** A request, read against the questions that it answers. */
export interface Submission {
  questions: AskedQuestion[]
  status: AnswerStatus
  responses: Readonly<Responses>
  /** Whether the next answer replaces this one: see `AnswerFile.replaceable`. */
  isReplaceable: boolean
  /** All that keeps it from being stored. */
  faults: Fault[]
}

/**
 * Reads a request against the recorded question, whatever the client's copy says. Where none is recorded, the questions
 * count that an earlier answer was stored with, or else those that the client sent.
 *
 * @throws AskError `NOT_FOUND` when nobody knows the question, `UNREACHABLE` when that cannot be said,
 *   `INVALID_QUESTIONS` when the client's cannot be asked.
 */
export function readSubmission(
  state: QuestionState,
  request: AnswerRequest,
  { olderRunners, isOnce }: { olderRunners: boolean; isOnce: boolean },
): Submission {
  const { record, answerFile } = state
  const known = answerFile?.questions ?? request.questions
  if (!record && !(olderRunners && known && request.questionDigest === undefined))
    throw unknownQuestion(state)
  const questions = record?.questions ?? parseQuestions(known)
  return { questions, ...answersIn(request, questions, isOnce) }
}

/** The error for a question that is not recorded; one that can be retried where nothing at all is there to be read. */
export const unknownQuestion = ({ toolCallId, nothingThere }: QuestionState): AskError =>
  nothingThere
    ? new AskError('UNREACHABLE', 'No question is there: none was asked yet, or the place is out of reach')
    : new AskError('NOT_FOUND', 'No such question is asked', { facts: { toolCallId } })

function answersIn(
  { status, answers, responses }: AnswerRequest,
  questions: AskedQuestion[],
  isOnce: boolean,
): Omit<Submission, 'questions'> {
  // A refusal gives no answers, and none that were entered before may keep a person from refusing.
  if (status === 'declined') return { status, responses: {}, isReplaceable: false, faults: [] }
  const read = responses ?? decodeAnswers(questions, answers ?? {})
  const stored = status ?? (isSubmitted(questions, read) ? 'completed' : 'pending')
  const misfits = validateResponses(questions, read, { final: stored === 'completed' })
  const faults = [...(responses ? [] : answerFaults(questions, answers)), ...misfits]
  const isReplaceable = status === undefined && stored === 'completed' && !isOnce
  return { status: stored, responses: read, isReplaceable, faults }
}

/** Whether answers that came without a status are a submission, as they are in the SandAgent document. */
const isSubmitted = (questions: AskedQuestion[], responses: Readonly<Responses>): boolean =>
  isComplete(questions, responses) && unansweredIds(questions, responses).length < questions.length

const answerFaults = (questions: AskedQuestion[], answers: AnswerRequest['answers']): Fault[] =>
  answers
    ? unknownAnswers(questions, answers).map((key) => ({
        path: `answers.${key}`,
        expected: 'the text of one of the questions',
      }))
    : [{ path: 'answers', expected: 'answers by question text, or "responses" by question id' }]

/** The answer file that stores a submission, as the next revision of what is stored; `now` in milliseconds since 1970. */
export function approvalFor(
  { toolCallId, record, answerFile }: QuestionState,
  { questions, status, responses, isReplaceable }: Submission,
  { answeredBy, reason, now }: { answeredBy?: string | undefined; reason?: string | undefined; now: number },
): BoundAnswerFile {
  return {
    questions: withoutGivenIds(questions),
    answers: encodeAnswers(questions, responses),
    status,
    timestamp: new Date(now).toISOString(),
    ...(isReplaceable && { replaceable: true as const }),
    version: 1,
    toolCallId,
    ...(record && { nonce: record.nonce, questionDigest: questionDigestOf(record) }),
    revision: (answerFile?.revision ?? 0) + 1,
    responses,
    ...(answeredBy !== undefined && { answeredBy }),
    ...(status === 'declined' && reason !== undefined && { reason }),
  }
}

/** The questions as they were asked: other SandAgent programs know no ids, and those given by position come again. */
function withoutGivenIds(questions: AskedQuestion[]): Question[] {
  const asked = questions.map(({ id: _, ...question }): Question => question)
  return sameQuestions(parseQuestions(asked), questions) ? asked : questions
}
