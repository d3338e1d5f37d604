import {
  type AnswerFile,
  type AskedQuestion,
  type Fault,
  isAnswer,
  isExpiry,
  isMeantFor,
  type QuestionRecord,
  questionDigestOf,
  type Receipt,
  type Responses,
  readQuestions,
  responsesOf,
  responseTo,
  sameQuestions,
  submittedKind,
  submittedResponses,
  validateResponses,
  withDefaults,
} from '@sandagent/core/internal'

/** How a question ends, before the moment is known. */
export type Ending = Omit<Receipt, 'settledAt'>

/**
 * What the agent gets when the time runs out. `partial`: what was entered so far. `defaults`: that, and the
 * questions' own defaults, marked as such. `decline`: nothing.
 */
export type TimeoutPolicy = 'partial' | 'defaults' | 'decline'

/** What an answer file means to the question that waits. */
export type Reading =
  | { kind: 'ending'; ending: Ending }
  /** `isExpired`: the host says that the time is over. */
  | { kind: 'draft'; draft: AnswerFile; isExpired: boolean }
  | { kind: 'refused'; code: 'CONFLICT' | 'INVALID_ANSWERS'; message: string }

/** Reads an answer file as the answer to this very question; what cannot be one is refused, and the wait goes on. */
export function readAnswerFile(record: QuestionRecord, answerFile: AnswerFile): Reading {
  if (!isMeantFor(answerFile, record))
    return { kind: 'refused', code: 'CONFLICT', message: 'This answer file answers another question' }
  if (!isGivenTo(record, answerFile))
    return { kind: 'refused', code: 'CONFLICT', message: 'This answer file answers what was not asked' }
  if (answerFile.status === 'declined')
    return { kind: 'ending', ending: { state: 'declined', responses: {}, ...creditOf(answerFile) } }
  if (isExpiry(answerFile.answers)) return { kind: 'draft', draft: answerFile, isExpired: true }
  const responses = responsesOf(answerFile, record.questions)
  const faults = validateResponses(record.questions, responses, { final: answerFile.status === 'completed' })
  if (faults.length > 0) return { kind: 'refused', code: 'INVALID_ANSWERS', message: messageOf(faults) }
  if (answerFile.status === 'pending') return { kind: 'draft', draft: answerFile, isExpired: false }
  const state = submittedKind(record.questions, responses)
  return { kind: 'ending', ending: { state, responses, ...creditOf(answerFile) } }
}

/**
 * Whether an answer file was given to what was asked: the question's file may have been edited before the person saw it.
 * Hosts of older releases show it by the questions alone. Who answers before a question is recorded, as older writers do,
 * stores what the page sent, in whatever form.
 */
function isGivenTo(record: QuestionRecord, { nonce, questionDigest, questions }: AnswerFile): boolean {
  if (nonce === undefined) return true
  return questionDigest === undefined
    ? sameQuestions(readQuestions({ questions }), record.questions)
    : questionDigest === questionDigestOf(record)
}

/**
 * Whether the person may still change a complete answer. Pages of the SandAgent document send the whole set at each
 * click, without a status. Older hosts store it without a revision.
 */
export const isReplaceable = ({ status, replaceable, revision }: AnswerFile): boolean =>
  replaceable === true || (status === 'completed' && revision === undefined)

/** Whether a complete answer cannot grow by one more click: it picks one option of each question. */
export const hasPickedAll = (questions: readonly AskedQuestion[], { responses }: Ending): boolean =>
  questions.every((question) => {
    const response = responseTo(responses, question)
    return !question.multiSelect && isAnswer(response) && response.selected.length > 0
  })

/** How a question ends whose time ran out, with the draft that was there then. */
export function timeoutEnding(
  record: QuestionRecord,
  draft: AnswerFile | null,
  timeoutPolicy: TimeoutPolicy,
): Ending {
  const entered = draft && timeoutPolicy !== 'decline' ? enteredIn(record, draft) : {}
  const responses = timeoutPolicy === 'defaults' ? withDefaults(record.questions, entered) : entered
  return draft && Object.keys(entered).length > 0
    ? { state: 'partial', responses, ...creditOf(draft) }
    : { state: 'timed-out', responses }
}

const enteredIn = ({ questions }: QuestionRecord, draft: AnswerFile): Responses =>
  Object.fromEntries(
    Object.entries(submittedResponses(questions, responsesOf(draft, questions))).filter(
      ([, response]) => isAnswer(response) && response.source === 'human',
    ),
  )

const creditOf = ({ answeredBy, reason, revision }: AnswerFile) => ({
  ...(answeredBy !== undefined && { answeredBy }),
  ...(reason !== undefined && { reason }),
  ...(revision !== undefined && { revision }),
})

const messageOf = (faults: readonly Fault[]): string =>
  `This answer file holds no valid answer: ${faults.map(({ path, expected }) => `${path}: expected ${expected}`).join('; ')}`
