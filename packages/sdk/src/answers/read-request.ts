import {
  type AnswerRequest,
  AskError,
  type AskedQuestion,
  decodeAnswers,
  type Fault,
  inputFaults,
  invalid,
  parseAnswerRequest,
  parseQuestions,
  type QuestionRecord,
  type QuestionState,
  questionTexts,
  statusOf,
  unknownAnswers,
  validateResponses,
} from '@sandagent/core/internal'
import type { GivenAnswer } from '../policy/count-votes.ts'

/** What a request says about the questions that it answers. */
export interface ReadAnswer extends GivenAnswer {
  faults: Fault[]
}

/**
 * Reads a request. The recorded questions count. Without a record the questions of an earlier answer count, or else those
 * that the client sent.
 *
 * @throws AskError `NOT_FOUND` for an unknown question, `UNREACHABLE` when no question can be read, `INVALID_QUESTIONS` for
 *   invalid questions of the client.
 */
export function readRequest(
  state: QuestionState,
  request: AnswerRequest,
  { needsRecord, isOnce }: { needsRecord: boolean; isOnce: boolean },
): ReadAnswer {
  const { record, answerFile } = state
  const known = answerFile?.questions ?? request.questions
  if (!record && (needsRecord || !known || request.questionDigest !== undefined)) throw unknownQuestion(state)
  const questions = record?.questions ?? parseQuestions(known)
  const read = answersIn(request, questions, isOnce)
  const edits = inputFaults(record ?? { kind: 'question' }, read.responses, {
    final: read.status === 'completed',
  })
  const asking = request.asksBack ? askingFaults(request, record) : []
  return { questions, ...read, faults: [...read.faults, ...edits, ...asking] }
}

/** The error for a question that is not recorded. If nothing at all can be read, the client may try again. */
export const unknownQuestion = ({ toolCallId, isUnread }: QuestionState): AskError =>
  isUnread
    ? new AskError(
        'UNREACHABLE',
        'This host does not know the question: none was asked yet, or its place is out of reach',
        { facts: { unknownCall: toolCallId } },
      )
    : new AskError(
        'NOT_FOUND',
        'No such question is asked. Look whether its agent and this host have the same workdir and stateFolder',
        { facts: { toolCallId } },
      )

function answersIn(
  { status, answers, responses }: AnswerRequest,
  questions: AskedQuestion[],
  isOnce: boolean,
): Omit<ReadAnswer, 'questions'> {
  // A declined question has no responses, so faulty responses never keep a person from declining.
  if (status === 'declined') return { status, responses: {}, isProvisional: false, faults: [] }
  const read = responses ?? decodeAnswers(questions, answers ?? {})
  const stored = statusOf(status, { questions, responses: read, isOnce })
  const misfits = validateResponses(questions, read, { final: stored.status === 'completed' })
  const faults = [...(responses ? [] : answerFaults(questions, answers)), ...misfits]
  return { ...stored, responses: read, faults }
}

/** What keeps a person from asking back. */
const askingFaults = ({ status, reason }: AnswerRequest, record: QuestionRecord | undefined): Fault[] => [
  ...(status === 'declined' ? [] : [{ path: 'status', expected: '"declined" beside asksBack' }]),
  ...(reason?.trim() ? [] : [{ path: 'reason', expected: 'what the person asks' }]),
  ...(record?.takesQuestions
    ? []
    : [{ path: 'asksBack', expected: 'no such key: this agent takes no questions. Decline with a reason' }]),
]

const answerFaults = (questions: AskedQuestion[], answers: AnswerRequest['answers']): Fault[] =>
  answers
    ? unknownAnswers(questions, answers).map((key) => ({
        path: `answers.${key}`,
        expected: `the text of a question: ${questionTexts(questions)
          .map((text) => JSON.stringify(text))
          .join(', ')}`,
      }))
    : [{ path: 'answers', expected: 'answers by question text, or "responses" by question id' }]

/**
 * The answer in the body of a request. A body without any of these three would empty the draft that is there, such as
 * `{"toolCallId":"t1","declined":true}`.
 */
export function answerIn(body: unknown): AnswerRequest {
  const request = parseAnswerRequest(body)
  if (request.answers === undefined && request.responses === undefined && request.status === undefined)
    throw invalid('INVALID_REQUEST', 'This is no answer', [
      { path: '', expected: '"answers", "responses", or "status": "declined"' },
    ])
  return request
}
