import {
  type AnswerRequest,
  type Approval,
  type ApprovalStatus,
  AskError,
  askingDigest,
  type Clock,
  type HostChannel,
  invalid,
  isFinal,
  type QuestionRecord,
  type QuestionState,
  responsesOf,
  sameResponses,
  systemClock,
  viewOf,
} from '@sandagent/core'
import { awaitReceipt, gone, hasEndedWithout } from './await-receipt.ts'
import type { SignAnswer } from './signing/sign-answer.ts'
import type { SigningKeys } from './signing/signing-keys.ts'
import { approvalFor, readSubmission, type Submission } from './submission.ts'

/** How often an answer is stored anew because a draft came first. */
const ATTEMPTS = 20

export interface StoreOptions {
  /** Refuses answers to questions that no runner recorded, as third-party runners do. Default false. */
  requireRecord?: boolean
  /** What signs the answer. Default: this host's own keys, if it has any; `null` stores it unsigned. */
  keys?: SigningKeys | null
  clock?: Clock
}

/** What was stored. */
export interface StoredAnswer {
  status: ApprovalStatus
  /** Counts the writes for one question, from 1; 0 for an answer that an older writer stored. */
  revision: number
}

/** `submitAnswer` over any channel, of a request that was parsed. */
export async function storeAnswer(
  channel: HostChannel,
  request: AnswerRequest,
  {
    answeredBy,
    requireRecord = false,
    admittedTo,
    sign = async (approval) => approval,
    clock = systemClock,
  }: Omit<StoreOptions, 'keys'> & {
    answeredBy?: string | undefined
    /** The question that the caller may answer, `null` where none was recorded. Default: whichever there is. */
    admittedTo?: QuestionRecord | null
    sign?: SignAnswer
  },
): Promise<StoredAnswer> {
  const mayAnswer = ({ record }: QuestionState): boolean =>
    admittedTo === undefined || isSameAsking(admittedTo, record ?? null)
  for (let attempt = 1; ; attempt++) {
    const now = clock.now()
    const state = await channel.read(request.toolCallId)
    if (!mayAnswer(state)) throw new AskError('CHANGED', 'Another question has taken the place of this one')
    const submission = readSubmission(state, request, requireRecord)
    if (hasEndedWithout(state)) throw gone(state, now)
    if (state.approval && isFinal(state.approval)) {
      const stored = repeated(state, state.approval, submission, now)
      await awaitReceipt(channel, state.approval, state, clock)
      return stored
    }
    if (request.asking !== undefined && state.record && request.asking !== askingDigest(state.record))
      throw changed(state, now)
    if (submission.faults.length > 0)
      throw invalid('INVALID_ANSWERS', 'This answer does not fit its question', submission.faults)
    const unsigned = approvalFor(state, submission, { answeredBy, reason: request.reason, now })
    const approval = state.record ? await sign(unsigned, state.record) : unsigned
    try {
      await channel.write(approval, { expectedRevision: approval.revision - 1 })
    } catch (error) {
      // Somebody was faster. Their final answer is met in the next round; their draft gives way to this one.
      if (error instanceof AskError && error.code === 'CONFLICT' && attempt < ATTEMPTS) continue
      throw error
    }
    const after = await channel.read(request.toolCallId)
    if (mayAnswer(after)) await awaitReceipt(channel, approval, after, clock)
    return { status: approval.status, revision: approval.revision }
  }
}

/** Whether two records are of one asking, in one run. */
const isSameAsking = (a: QuestionRecord | null, b: QuestionRecord | null): boolean =>
  a === null || b === null
    ? a === b
    : a.nonce === b.nonce && a.runId === b.runId && askingDigest(a) === askingDigest(b)

/** The same answer as the one that is stored, which is a success; another one is a conflict. */
function repeated(
  state: QuestionState,
  approval: Approval,
  { questions, status, responses }: Submission,
  now: number,
): StoredAnswer {
  if (approval.status === status && sameResponses(questions, responsesOf(approval, questions), responses))
    return { status, revision: approval.revision ?? 0 }
  const { answeredBy, timestamp } = approval
  const message = `Another answer came first${answeredBy === undefined ? '' : `, from ${answeredBy}`}, at ${timestamp}`
  throw new AskError('CONFLICT', message, { facts: { question: viewOf(state, now) } })
}

const changed = (state: QuestionState, now: number): AskError =>
  new AskError('CHANGED', 'This question is not the one that was shown', {
    facts: { question: viewOf(state, now) },
  })
