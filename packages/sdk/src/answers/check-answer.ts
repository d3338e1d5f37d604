import {
  type AnswerFile,
  type AnswerRequest,
  AskError,
  type Author,
  authorOf,
  draftsIn,
  invalid,
  isAccountedFor,
  isBy,
  isFinal,
  isProvisional,
  isSameAuthor,
  isSameRecord,
  isSameVote,
  isSettled,
  mayChange,
  type PolicyRule,
  type QuestionRecord,
  type QuestionState,
  type QuestionView,
  readQuestions,
  responsesOf,
  type SettledRecord,
  sameResponses,
  type Viewer,
  viewOf,
  votesNeeded,
  whoMayAnswer,
} from '@sandagent/core/internal'
import { type ReadAnswer, readRequest } from './read-request.ts'
import type { RequestOrder } from './request-order.ts'

export interface CheckFacts {
  /** The person who answers, and what the policy says. */
  viewer: Viewer
  needsRecord: boolean
  isOnce: boolean
  /** Only for a draft, or an answer without a status: its place among those of this person. */
  order: RequestOrder | undefined
  now: number
}

/** An answer to store. Or the stored answer file that already makes the request a success. */
export type CheckedAnswer =
  | { kind: 'new'; answer: ReadAnswer }
  | { kind: 'stored'; answer: ReadAnswer; answerFile: AnswerFile }

/**
 * Checks a request against the current state of its question.
 *
 * @throws AskError `GONE` after the question ended, `CONFLICT` after another answer, `NOT_ALLOWED` by the policy, `CHANGED`
 *   when the person saw another question, `INVALID_ANSWERS` with every fault, and what {@link readRequest} throws.
 */
export function checkAnswer(state: QuestionState, request: AnswerRequest, facts: CheckFacts): CheckedAnswer {
  const { record, answerFile } = state
  const { viewer, order, now } = facts
  const view = (): QuestionView => viewOf(state, now, viewer)
  const answer = readRequest(state, request, facts)
  if (hasEndedWithout(state)) throw gone(view())
  if (answerFile && isFinal(answerFile) && !isReplaceableBy(viewer, state)) {
    checkRepeated(state, answerFile, { ...request, ...answer }, facts)
    return { kind: 'stored', answer, answerFile }
  }
  if (viewer.rule && !viewer.mayAnswer) throw notAllowed(viewer.rule, view())
  // What the request does not say counts as seen.
  const { questionDigest, askedAt } = request
  if (record && !isSameRecord(record, { questionDigest, askedAt }))
    throw new AskError('CHANGED', 'This question is not the one that was shown', {
      facts: { question: view() },
    })
  if (answer.faults.length > 0)
    throw invalid('INVALID_ANSWERS', 'This answer does not fit its question', answer.faults)
  const own = order && replaceableBy(viewer, state)
  return answerFile && own && order.isBefore(own.timestamp)
    ? { kind: 'stored', answer, answerFile }
    : { kind: 'new', answer }
}

const notAllowed = (rule: PolicyRule, question: QuestionView): AskError =>
  new AskError('NOT_ALLOWED', `Only ${whoMayAnswer(rule)} may answer this`, { facts: { question } })

/** The error for an answer to a question that ended without it. */
export const gone = (question: QuestionView): AskError =>
  new AskError('GONE', 'This question ended without this answer', { facts: { question } })

const hasEndedWithout = ({ record, answerFile }: QuestionState): boolean =>
  isEnded(record) && !(answerFile && isFinal(answerFile) && hasTaken(record, answerFile))

export const isEnded = (record: QuestionRecord | undefined): record is SettledRecord =>
  record !== undefined && isSettled(record)

/** Whether the agent got this answer or, if it could change, a later one. */
export function hasTaken(record: SettledRecord, answerFile: AnswerFile): boolean {
  if (record.state === 'timed-out' || record.state === 'aborted') return false
  const isLater = mayChange(answerFile) && (record.revision ?? 0) > (answerFile.revision ?? 0)
  const isSame = mayChange(answerFile) || record.revision === answerFile.revision
  return isLater || (isSame && isAccountedFor(record, answerFile))
}

/** What is stored of this person, and the person's next draft or answer without a status replaces. */
export function replaceableBy(
  author: Author,
  state: QuestionState,
): Pick<AnswerFile, 'timestamp'> | undefined {
  const { record, answerFile } = state
  if (!answerFile || isReplaceableBy(author, state)) return answerFile
  const questions = record?.questions ?? readQuestions(answerFile)
  return draftsIn(answerFile, questions).find((draft) => isSameAuthor(authorOf(draft), author))
}

/** Whether a complete answer may be replaced: only by its author, and only until the agent has it. */
const isReplaceableBy = (author: Author, { record, answerFile }: QuestionState): boolean =>
  answerFile !== undefined &&
  isProvisional(answerFile) &&
  isSameAuthor(authorOf(answerFile), author) &&
  !(record && isSettled(record))

/** Accepts the stored answer again from its author, and refuses any other one. */
function checkRepeated(
  state: QuestionState,
  answerFile: AnswerFile,
  {
    questions,
    status,
    responses,
    reason,
    asksBack = false,
    browser,
  }: ReadAnswer & Pick<AnswerRequest, 'reason' | 'asksBack' | 'browser'>,
  facts: CheckFacts,
): void {
  const { viewer, isOnce, now } = facts
  // Several people gave this answer, each with a note of their own.
  const isVote = votesNeeded(answerFile.rule) > 1
  const stored = responsesOf(answerFile, questions)
  const isSame =
    answerFile.status === status &&
    (isVote ? isSameVote : sameResponses)(questions, stored, responses) &&
    (status !== 'declined' || (answerFile.reason === reason && (answerFile.asksBack ?? false) === asksBack))
  // Anybody may have got hold of a link, and could find out the answer by guessing. So only the same browser may send it.
  const isSameBrowser = browser !== undefined && answerFile.browser === browser
  if (isSame && isBy(answerFile, viewer) && (isSameBrowser || !isOnce)) {
    if (state.unpublished && !(state.record && isSettled(state.record)))
      throw new AskError('UNREACHABLE', 'This answer is stored, and cannot be put where its agent looks')
    return
  }
  const { answeredBy, timestamp } = answerFile
  const message = `Another answer came first${answeredBy === undefined ? '' : `, from ${answeredBy}`}, at ${timestamp}`
  throw new AskError('CONFLICT', message, { facts: { question: viewOf(state, now, viewer) } })
}
