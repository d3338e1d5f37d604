import {
  type AnswerFile,
  type AskedQuestion,
  enteredIn,
  type Fault,
  inputFaults,
  isAnswer,
  isExpiry,
  isMeantFor,
  type QuestionRecord,
  questionDigestOf,
  type Receipt,
  readQuestions,
  responsesOf,
  responseTo,
  sameQuestions,
  submittedKind,
  validateResponses,
  votersIn,
  withDefaults,
} from '@sandagent/core/internal'

/** A receipt without its time. */
export type Ending = Omit<Receipt, 'settledAt'>

/**
 * What the agent gets when the time runs out. `partial`: what fits of the draft. `defaults`: that and the questions'
 * defaults, which are marked. `decline`: nothing.
 */
export type TimeoutPolicy = 'partial' | 'defaults' | 'decline'

/** What an answer file means to the waiting question. */
export type Reading =
  | { kind: 'ending'; ending: Ending }
  /** `isExpired`: the host reports that the time has run out. */
  | { kind: 'draft'; isExpired: boolean }
  | { kind: 'refused'; code: 'CONFLICT' | 'INVALID_ANSWERS'; message: string }

export function readAnswerFile(record: QuestionRecord, answerFile: AnswerFile): Reading {
  if (!isMeantFor(answerFile, record))
    return { kind: 'refused', code: 'CONFLICT', message: 'This answer file answers another question' }
  if (!isGivenTo(record, answerFile))
    return { kind: 'refused', code: 'CONFLICT', message: 'This answer file answers what was not asked' }
  if (answerFile.status === 'declined')
    return { kind: 'ending', ending: { state: 'declined', responses: {}, ...creditOf(answerFile) } }
  if (isExpiry(answerFile.answers)) return { kind: 'draft', isExpired: true }
  const responses = responsesOf(answerFile, record.questions)
  const final = answerFile.status === 'completed'
  const faults = [
    ...validateResponses(record.questions, responses, { final }),
    ...inputFaults(record, responses, { final }),
  ]
  if (faults.length > 0) return { kind: 'refused', code: 'INVALID_ANSWERS', message: messageOf(faults) }
  if (answerFile.status === 'pending') return { kind: 'draft', isExpired: false }
  const state = submittedKind(record.questions, responses)
  return { kind: 'ending', ending: { state, responses, ...creditOf(answerFile) } }
}

/**
 * Whether the person saw the questions that were asked: the question's file may have been edited. The answer file holds a
 * digest of the questions; from older hosts it holds only the questions. In the older format it has no nonce.
 */
function isGivenTo(record: QuestionRecord, { nonce, questionDigest, questions }: AnswerFile): boolean {
  if (nonce === undefined) return true
  return questionDigest === undefined
    ? sameQuestions(readQuestions({ questions }), record.questions)
    : questionDigest === questionDigestOf(record)
}

/** Whether the answer picks the one option of each question, so that no further click can add to it. */
export const hasPickedAll = (questions: readonly AskedQuestion[], { responses }: Ending): boolean =>
  questions.every((question) => {
    const response = responseTo(responses, question)
    return !question.multiSelect && isAnswer(response) && response.selected.length > 0
  })

export function timeoutEnding(
  record: QuestionRecord,
  draft: AnswerFile | null,
  timeoutPolicy: TimeoutPolicy,
): Ending {
  const entered = draft && timeoutPolicy !== 'decline' ? enteredIn(record, draft) : {}
  // Who went on with the defaults goes on with them.
  const isDefault = timeoutPolicy === 'defaults' || record.blocking === false
  const responses = isDefault ? withDefaults(record.questions, entered) : entered
  return draft && Object.keys(entered).length > 0
    ? { state: 'partial', responses, ...creditOf(draft) }
    : { state: 'timed-out', responses }
}

const creditOf = ({ answeredBy, votes, reason, asksBack, revision }: AnswerFile) => {
  const voters = votersIn(votes)
  return {
    ...(answeredBy !== undefined && { answeredBy }),
    ...(voters && { voters }),
    ...(reason !== undefined && { reason }),
    ...(asksBack && { asksBack }),
    ...(revision !== undefined && { revision }),
  }
}

const messageOf = (faults: readonly Fault[]): string =>
  `This answer file holds no valid answer: ${faults.map(({ path, expected }) => `${path}: expected ${expected}`).join('; ')}`
