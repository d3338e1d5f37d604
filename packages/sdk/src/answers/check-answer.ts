import {
  type AnswerFile,
  type AnswerRequest,
  AskError,
  invalid,
  isAccountedFor,
  isFinal,
  isSettled,
  mayChange,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
  responsesOf,
  type SettledRecord,
  sameResponses,
  viewOf,
} from '@sandagent/core/internal'
import { type ReadAnswer, readRequest } from './read-request.ts'

/** What an answer is checked with. */
export interface CheckFacts {
  answeredBy: string | undefined
  olderRunners: boolean
  isOnce: boolean
  /** When an answer came that replaces others and is replaced, in milliseconds since 1970. */
  order: number | undefined
  now: number
}

/** An answer to store; or the answer file that is stored already, and makes the request a success. */
export type CheckedAnswer = { kind: 'new'; answer: ReadAnswer } | { kind: 'stored'; answerFile: AnswerFile }

/**
 * Checks a request against its question as it is now.
 *
 * @throws AskError why the answer is refused: `GONE` after the end of its question, `CONFLICT` after another answer, `CHANGED`
 *   when the person saw another question, `INVALID_ANSWERS` with every fault, and what {@link readRequest} throws.
 */
export function checkAnswer(state: QuestionState, request: AnswerRequest, facts: CheckFacts): CheckedAnswer {
  const { record, answerFile } = state
  const { answeredBy, order, now } = facts
  const answer = readRequest(state, request, facts)
  if (hasEndedWithout(state)) throw gone(state, now)
  if (answerFile && isFinal(answerFile) && !isReplaceableBy(answeredBy, state)) {
    checkRepeated(state, answerFile, answer, now)
    return { kind: 'stored', answerFile }
  }
  if (request.questionDigest !== undefined && record && request.questionDigest !== questionDigestOf(record))
    throw new AskError('CHANGED', 'This question is not the one that was shown', {
      facts: { question: viewOf(state, now) },
    })
  if (answer.faults.length > 0)
    throw invalid('INVALID_ANSWERS', 'This answer does not fit its question', answer.faults)
  const isOvertaken =
    order !== undefined && answerFile && mayChange(answerFile) && Date.parse(answerFile.timestamp) > order
  return isOvertaken ? { kind: 'stored', answerFile } : { kind: 'new', answer }
}

/** Whether two records are of the same question, asked once, in one run. */
export const isSameRecord = (a: QuestionRecord | undefined, b: QuestionRecord | undefined): boolean =>
  a === undefined || b === undefined
    ? a === b
    : a.nonce === b.nonce && a.runId === b.runId && questionDigestOf(a) === questionDigestOf(b)

/** The error for an answer that is overdue: its question ended without it. */
export const gone = (state: QuestionState, now: number): AskError =>
  new AskError('GONE', 'This question ended without this answer', { facts: { question: viewOf(state, now) } })

/** Whether the question has ended, and not with the answer that is stored, if one is. */
const hasEndedWithout = ({ record, answerFile }: QuestionState): boolean =>
  isEnded(record) && !(answerFile && isFinal(answerFile) && hasTaken(record, answerFile))

export const isEnded = (record: QuestionRecord | undefined): record is SettledRecord =>
  record !== undefined && isSettled(record)

/** Whether what the agent got is this answer or, of one that could be replaced, what was entered after it. */
export function hasTaken(record: SettledRecord, answerFile: AnswerFile): boolean {
  if (record.state === 'timed-out' || record.state === 'aborted') return false
  const isLater = mayChange(answerFile) && (record.revision ?? 0) > (answerFile.revision ?? 0)
  const isSame = mayChange(answerFile) || record.revision === answerFile.revision
  return isLater || (isSame && isAccountedFor(record, answerFile))
}

/** Whether a complete answer may be replaced: only by the person who gave it, until the agent has it. */
const isReplaceableBy = (person: string | undefined, { record, answerFile }: QuestionState): boolean =>
  answerFile?.replaceable === true && answerFile.answeredBy === person && !(record && isSettled(record))

/** The stored answer once more is a success; another answer is a conflict. */
function checkRepeated(
  state: QuestionState,
  answerFile: AnswerFile,
  { questions, status, responses }: ReadAnswer,
  now: number,
): void {
  if (
    answerFile.status === status &&
    sameResponses(questions, responsesOf(answerFile, questions), responses)
  ) {
    if (state.unpublished && !(state.record && isSettled(state.record)))
      throw new AskError('UNREACHABLE', 'This answer is stored, and cannot be put where its agent looks')
    return
  }
  const { answeredBy, timestamp } = answerFile
  const message = `Another answer came first${answeredBy === undefined ? '' : `, from ${answeredBy}`}, at ${timestamp}`
  throw new AskError('CONFLICT', message, { facts: { question: viewOf(state, now) } })
}
