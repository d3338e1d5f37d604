import {
  type AnswerFile,
  type AnswerRequest,
  type AnswerStatus,
  AskError,
  type BoundAnswerFile,
  type Clock,
  type HostChannel,
  type QuestionRecord,
  type QuestionState,
  systemClock,
} from '@sandagent/core/internal'
import { unreachable } from '@sandagent/files/internal'
import type { SignAnswer } from '../signing/sign-answer.ts'
import { checkAnswer, isSameRecord } from './check-answer.ts'
import { confirmAnswer } from './confirm-answer.ts'
import { answerFileFor } from './read-request.ts'
import { arrivalTime } from './request-order.ts'

/** How often an answer is checked and written again because a draft came first. */
const ATTEMPTS = 20

/** The same for an answer without a status, as many of them may come at once. */
const ATTEMPTS_AMONG_CLICKS = 100

/** What was stored. */
export interface StoredAnswer {
  status: AnswerStatus
  /** Counts the writes for one question, from 1; 0 for an answer that an older writer stored. */
  revision: number
}

export interface StoreAnswerOptions {
  answeredBy?: string | undefined
  /** As in `SubmitOptions`. */
  olderRunners?: boolean | undefined
  /** The question that the caller was admitted to, as it was read for that. Default: it is read now. */
  state?: QuestionState | undefined
  /** When the request came, see {@link arrivalTime}. Default: now. */
  arrivedAt?: number | undefined
  /** Whether the caller may answer once: a complete answer then is final, whatever it says. */
  isOnce?: boolean | undefined
  sign?: SignAnswer | undefined
  clock?: Clock | undefined
}

/**
 * The one way of every answer, after its caller was admitted: check it, write it, and confirm that it counts. When another
 * answer came first, the question is read and checked again.
 */
export async function storeAnswer(
  channel: HostChannel,
  request: AnswerRequest,
  {
    answeredBy,
    olderRunners = true,
    state: admitted,
    arrivedAt,
    isOnce = false,
    sign = async (answerFile) => answerFile,
    clock = systemClock,
  }: StoreAnswerOptions,
): Promise<StoredAnswer> {
  // Answers without a status replace each other. The one that came last counts, not the one that is written last.
  const order = request.status === undefined ? (arrivedAt ?? arrivalTime(clock)) : undefined
  const attempts = order === undefined ? ATTEMPTS : ATTEMPTS_AMONG_CLICKS
  // A question without a record may have got one while its caller was admitted.
  let state = admitted?.record ? admitted : await channel.read(request.toolCallId)
  const { record: asked } = admitted ?? state
  const confirmed = async (answerFile: AnswerFile): Promise<StoredAnswer> => {
    await confirmAnswer(channel, answerFile, state, clock)
    return { status: answerFile.status, revision: answerFile.revision ?? 0 }
  }
  for (let attempt = 1; ; attempt++) {
    if (!isSameRecord(asked, state.record))
      throw new AskError('CHANGED', 'Another question has taken the place of this one')
    const now = clock.now()
    const checked = checkAnswer(state, request, { answeredBy, olderRunners, isOnce, order, now })
    if (checked.kind === 'stored') return confirmed(checked.answerFile)
    const facts = { answeredBy, reason: request.reason, now: order ?? now }
    const answerFile = await signed(sign, answerFileFor(state, checked.answer, facts), state.record)
    try {
      // The agent can replace the record. So the answer is only written while its question is there.
      const isExpected = (record: QuestionRecord | undefined) => isSameRecord(asked, record)
      await channel.write(answerFile, { expectedRevision: answerFile.revision - 1, isExpected })
      return await confirmed(answerFile)
    } catch (error) {
      if (!(error instanceof AskError && error.code === 'CONFLICT') || attempt >= attempts) throw error
    }
    state = await channel.read(request.toolCallId)
  }
}

/** @throws AskError `UNREACHABLE` where it cannot be read which keys the runner knows. */
async function signed(
  sign: SignAnswer,
  answerFile: BoundAnswerFile,
  record: QuestionRecord | undefined,
): Promise<BoundAnswerFile> {
  try {
    return record ? await sign(answerFile, record) : answerFile
  } catch (error) {
    throw unreachable('This answer cannot be signed', error)
  }
}
