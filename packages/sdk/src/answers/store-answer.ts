import {
  type AnswerFile,
  type AnswerRequest,
  type AnswerStatus,
  AskError,
  type BoundAnswerFile,
  type Clock,
  type HostChannel,
  invalid,
  isFinal,
  isSettled,
  mayChange,
  type QuestionRecord,
  type QuestionState,
  questionDigestOf,
  responsesOf,
  sameResponses,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import { unreachable } from '@sandagent/files/internal'
import type { SignAnswer } from '../signing/sign-answer.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { arrivalTime } from './arrival-time.ts'
import { awaitReceipt, gone, hasEndedWithout } from './await-receipt.ts'
import { approvalFor, readSubmission, type Submission } from './check-answer.ts'

/** How often an answer is stored anew because a draft came first. */
const ATTEMPTS = 20

/** The same for an answer without a status, as many of them may come at once. */
const ATTEMPTS_AMONG_CLICKS = 100

export interface StoreOptions {
  /**
   * Takes answers to questions that no runner recorded: runners that are older, or not of SandAgent, record none. Default
   * true. An answer with `asking` is to a recorded question, and is never taken without.
   */
  olderRunners?: boolean
  /** What signs the answer. Default: this host's own signingKeys, if it has any; `null` stores it unsigned. */
  signingKeys?: SigningKeys | null
  clock?: Clock
}

/** What was stored. */
export interface StoredAnswer {
  status: AnswerStatus
  /** Counts the writes for one question, from 1; 0 for an answer that an older writer stored. */
  revision: number
}

/** `submitAnswer` over any channel, of a request that was parsed. */
export async function storeAnswer(
  channel: HostChannel,
  request: AnswerRequest,
  {
    answeredBy,
    olderRunners = true,
    admittedTo,
    arrivedAt,
    isOnce = false,
    sign = async (answerFile) => answerFile,
    clock = systemClock,
  }: Omit<StoreOptions, 'signingKeys'> & {
    answeredBy?: string | undefined
    /** The question that the caller may answer, `null` where none was recorded. Default: whichever there is. */
    admittedTo?: QuestionRecord | null
    /** When the request came, see {@link arrivalTime}. Default: now. */
    arrivedAt?: number
    /** Whether the caller may answer once: a complete answer then is final, whatever it says. */
    isOnce?: boolean
    sign?: SignAnswer
  },
): Promise<StoredAnswer> {
  // Answers without a status replace each other. The one that came last counts, not the one that is written last.
  const order = request.status === undefined ? (arrivedAt ?? arrivalTime(clock)) : undefined
  const attempts = order === undefined ? ATTEMPTS : ATTEMPTS_AMONG_CLICKS
  const mayAnswer = ({ record }: QuestionState): boolean =>
    admittedTo === undefined || isSameQuestion(admittedTo, record ?? null)
  /** Makes sure that an answer which is stored counts. Its question may have ended since it was read, so it is read again. */
  const confirm = async (answerFile: AnswerFile, { record }: QuestionState): Promise<void> => {
    const after = await channel.read(request.toolCallId)
    if (record && !after.record)
      throw new AskError('UNREACHABLE', 'The question went away while its answer was stored')
    if (mayAnswer(after)) await awaitReceipt(channel, answerFile, after, clock)
  }
  for (let attempt = 1; ; attempt++) {
    const now = clock.now()
    const state = await channel.read(request.toolCallId)
    if (!mayAnswer(state)) throw new AskError('CHANGED', 'Another question has taken the place of this one')
    const submission = readSubmission(state, request, { olderRunners, isOnce })
    if (hasEndedWithout(state)) throw gone(state, now)
    if (state.answerFile && isFinal(state.answerFile) && !isReplaceableBy(answeredBy, state)) {
      const stored = repeated(state, state.answerFile, submission, now)
      await confirm(state.answerFile, state)
      return stored
    }
    if (
      request.questionDigest !== undefined &&
      state.record &&
      request.questionDigest !== questionDigestOf(state.record)
    )
      throw changed(state, now)
    if (submission.faults.length > 0)
      throw invalid('INVALID_ANSWERS', 'This answer does not fit its question', submission.faults)
    if (order !== undefined && state.answerFile && isOvertaken(order, state.answerFile)) {
      await confirm(state.answerFile, state)
      return { status: state.answerFile.status, revision: state.answerFile.revision ?? 0 }
    }
    const unsigned = approvalFor(state, submission, {
      answeredBy,
      reason: request.reason,
      now: order ?? now,
    })
    const answerFile = state.record ? await signed(sign, unsigned, state.record) : unsigned
    try {
      await channel.write(answerFile, { expectedRevision: answerFile.revision - 1 })
    } catch (error) {
      // Somebody was faster. Their final answer is met in the next round; their draft gives way to this one.
      if (error instanceof AskError && error.code === 'CONFLICT' && attempt < attempts) continue
      throw error
    }
    await confirm(answerFile, state)
    return { status: answerFile.status, revision: answerFile.revision }
  }
}

/** @throws AskError `UNREACHABLE` where it cannot be read which keys the runner knows. */
async function signed(
  sign: SignAnswer,
  answerFile: BoundAnswerFile,
  record: QuestionRecord,
): Promise<BoundAnswerFile> {
  try {
    return await sign(answerFile, record)
  } catch (error) {
    throw unreachable('This answer cannot be signed', error)
  }
}

/** Whether a request came before the answer that is stored by now. */
const isOvertaken = (order: number, answerFile: AnswerFile): boolean =>
  mayChange(answerFile) && Date.parse(answerFile.timestamp) > order

/** Whether a complete answer may be replaced: by nobody but the person who gave it, until the agent has it. */
const isReplaceableBy = (person: string | undefined, { record, answerFile }: QuestionState): boolean =>
  answerFile?.replaceable === true && answerFile.answeredBy === person && !(record && isSettled(record))

/** Whether two records are of one questionDigest, in one run. */
const isSameQuestion = (a: QuestionRecord | null, b: QuestionRecord | null): boolean =>
  a === null || b === null
    ? a === b
    : a.nonce === b.nonce && a.runId === b.runId && questionDigestOf(a) === questionDigestOf(b)

/** The same answer as the one that is stored, which is a success; another one is a conflict. */
function repeated(
  state: QuestionState,
  answerFile: AnswerFile,
  { questions, status, responses }: Submission,
  now: number,
): StoredAnswer {
  if (
    answerFile.status === status &&
    sameResponses(questions, responsesOf(answerFile, questions), responses)
  ) {
    if (state.unpublished && !(state.record && isSettled(state.record)))
      throw new AskError('UNREACHABLE', 'This answer is stored, and cannot be put where its agent looks')
    return { status, revision: answerFile.revision ?? 0 }
  }
  const { answeredBy, timestamp } = answerFile
  const message = `Another answer came first${answeredBy === undefined ? '' : `, from ${answeredBy}`}, at ${timestamp}`
  throw new AskError('CONFLICT', message, { facts: { question: viewOf(state, now) } })
}

const changed = (state: QuestionState, now: number): AskError =>
  new AskError('CHANGED', 'This question is not the one that was shown', {
    facts: { question: viewOf(state, now) },
  })
