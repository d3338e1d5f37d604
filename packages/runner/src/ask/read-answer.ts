import {
  type Approval,
  type AskedQuestion,
  askingDigest,
  type Fault,
  isAnswer,
  isExpiry,
  isMeantFor,
  type QuestionRecord,
  type Responses,
  readQuestions,
  responsesOf,
  responseTo,
  type Settlement,
  sameQuestions,
  submittedKind,
  submittedResponses,
  validateResponses,
  withDefaults,
} from '@sandagent/core'

/** How a question ends, before the moment is known. */
export type Ending = Omit<Settlement, 'settledAt'>

/**
 * What the agent gets when the time runs out. `partial`: what was entered so far. `defaults`: that, and the
 * questions' own defaults, marked as such. `decline`: nothing.
 */
export type OnTimeout = 'partial' | 'defaults' | 'decline'

/** What an approval means to the question that waits. */
export type Reading =
  | { kind: 'ending'; ending: Ending }
  /** `isExpired`: the host says that the time is over. */
  | { kind: 'draft'; draft: Approval; isExpired: boolean }
  | { kind: 'refused'; code: 'CONFLICT' | 'INVALID_ANSWERS'; message: string }

/** Reads an approval as the answer to this very question; what cannot be one is refused, and the wait goes on. */
export function readApproval(record: QuestionRecord, approval: Approval): Reading {
  if (!isMeantFor(approval, record))
    return { kind: 'refused', code: 'CONFLICT', message: 'This approval answers another question' }
  if (!isGivenTo(record, approval))
    return { kind: 'refused', code: 'CONFLICT', message: 'This approval answers what was not asked' }
  if (approval.status === 'cancelled')
    return { kind: 'ending', ending: { state: 'declined', responses: {}, ...creditOf(approval) } }
  if (isExpiry(approval.answers)) return { kind: 'draft', draft: approval, isExpired: true }
  const responses = responsesOf(approval, record.questions)
  const faults = validateResponses(record.questions, responses, { final: approval.status === 'completed' })
  if (faults.length > 0) return { kind: 'refused', code: 'INVALID_ANSWERS', message: messageOf(faults) }
  if (approval.status === 'pending') return { kind: 'draft', draft: approval, isExpired: false }
  const state = submittedKind(record.questions, responses)
  return { kind: 'ending', ending: { state, responses, ...creditOf(approval) } }
}

/**
 * Whether an approval was given to what was asked: the question's file may have been edited before the person saw it.
 * Hosts of older releases show it by the questions alone. Who answers before a question is recorded, as older writers do,
 * stores what the page sent, in whatever form.
 */
function isGivenTo(record: QuestionRecord, { nonce, asking, questions }: Approval): boolean {
  if (nonce === undefined) return true
  return asking === undefined
    ? sameQuestions(readQuestions({ questions }), record.questions)
    : asking === askingDigest(record)
}

/**
 * Whether the person may still change a complete answer. Pages of the SandAgent document send the whole set at each
 * click, without a status. Older hosts store it without a revision.
 */
export const isReplaceable = ({ status, replaceable, revision }: Approval): boolean =>
  replaceable === true || (status === 'completed' && revision === undefined)

/** Whether a complete answer cannot grow by one more click: it picks one option of each question. */
export const hasPickedAll = (questions: readonly AskedQuestion[], { responses }: Ending): boolean =>
  questions.every((question) => {
    const response = responseTo(responses, question)
    return !question.multiSelect && isAnswer(response) && response.selected.length > 0
  })

/** How a question ends whose time ran out, with the draft that was there then. */
export function timeoutEnding(record: QuestionRecord, draft: Approval | null, onTimeout: OnTimeout): Ending {
  const entered = draft && onTimeout !== 'decline' ? enteredIn(record, draft) : {}
  const responses = onTimeout === 'defaults' ? withDefaults(record.questions, entered) : entered
  return draft && Object.keys(entered).length > 0
    ? { state: 'partial', responses, ...creditOf(draft) }
    : { state: 'timed-out', responses }
}

const enteredIn = ({ questions }: QuestionRecord, draft: Approval): Responses =>
  Object.fromEntries(
    Object.entries(submittedResponses(questions, responsesOf(draft, questions))).filter(
      ([, response]) => isAnswer(response) && response.source === 'human',
    ),
  )

const creditOf = ({ answeredBy, reason, revision }: Approval) => ({
  ...(answeredBy !== undefined && { answeredBy }),
  ...(reason !== undefined && { reason }),
  ...(revision !== undefined && { revision }),
})

const messageOf = (faults: readonly Fault[]): string =>
  `This approval holds no valid answer: ${faults.map(({ path, expected }) => `${path}: expected ${expected}`).join('; ')}`
