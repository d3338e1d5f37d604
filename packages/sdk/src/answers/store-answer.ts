import {
  type AnswerFile,
  type AnswerRequest,
  type AnswerStatus,
  AskError,
  authorOf,
  type BoundAnswerFile,
  type Clock,
  type HostChannel,
  identityOf,
  isSameRecord,
  type Observation,
  type QuestionRecord,
  type QuestionState,
  systemClock,
  unreachable,
  votesNeeded,
} from '@sandagent/core/internal'
import type { Caller, Ruling } from '../policy/ruling.ts'
import type { SignAnswer } from '../signing/sign-answer.ts'
import { type CheckedAnswer, checkAnswer, replaceableBy, viewerFor } from './check-answer.ts'
import { confirmAnswer, whenClosed } from './confirm-answer.ts'
import { countVotes } from './count-votes.ts'
import { answerFileFor, type CountedAnswer } from './read-request.ts'
import { arrivalTime, requestOrder } from './request-order.ts'

/** How often an answer is checked and written while drafts, votes or clicks come first: many may come at once. */
const ATTEMPTS = 100

export interface StoredAnswer {
  status: AnswerStatus
  /** Counts the writes for one question, from 1; 0 for an answer in the older format. */
  revision: number
  /** Under a policy: the answer is a vote. This many more people must give the same. */
  missingVotes?: number
}

export interface StoreAnswerOptions extends Caller {
  /** What a policy says about the question. Default: there is no policy. */
  rulingFor?: ((record: QuestionRecord | undefined) => Promise<Ruling | null>) | undefined
  /** As in `SubmitOptions`. */
  needsRecord?: boolean | undefined
  /** The question as it was read to admit the caller. Default: the question is read now. */
  state?: QuestionState | undefined
  /** When the request came, see {@link arrivalTime}. Default: now. */
  arrivedAt?: number | undefined
  /** The caller may answer only once, so a complete answer is always final. */
  isOnce?: boolean | undefined
  observation?: Observation | undefined
  sign?: SignAnswer | undefined
  clock?: Clock | undefined
}

/** Checks, writes and confirms an answer of an admitted caller. After a conflict it reads the question again. */
export async function storeAnswer(
  channel: HostChannel,
  request: AnswerRequest,
  {
    answeredBy,
    roles,
    rulingFor = async () => null,
    needsRecord = false,
    state: admitted,
    arrivedAt,
    isOnce = false,
    observation,
    sign = async (answerFile) => answerFile,
    clock = systemClock,
  }: StoreAnswerOptions,
): Promise<StoredAnswer> {
  // The runner may have recorded the question while its caller was admitted.
  let state = admitted?.record ? admitted : await channel.read(request.toolCallId)
  const { record: asked } = admitted ?? state
  const expectedRecord = asked ? identityOf(asked) : null
  observation?.progress?.({ name: 'found', record: asked })
  const author = authorOf({ answeredBy, browser: request.browser })
  const ruling = await rulingFor(asked)
  const who = { author, person: { answeredBy, roles }, ruling }
  const isVote = votesNeeded(ruling?.rule) > 1
  // A person's drafts replace each other, and so do answers without a status. The last one to arrive counts, not the last one
  // written.
  const hasOrder = (request.status ?? 'pending') === 'pending' && !isVote
  const order = hasOrder
    ? requestOrder(arrivedAt ?? arrivalTime(clock), replaceableBy(author, state)?.timestamp, clock)
    : undefined
  const confirmed = async (
    answerFile: AnswerFile,
    record: QuestionRecord | undefined,
    missingVotes?: number,
  ): Promise<StoredAnswer> => {
    await confirmAnswer(channel, answerFile, { before: state, record, viewer: viewerFor(who) }, clock)
    const { status, revision = 0 } = answerFile
    return { status, revision, ...(missingVotes !== undefined && { missingVotes }) }
  }
  let hasWaited = false
  for (let attempt = 1; ; attempt++) {
    if (!isSameRecord(state.record, expectedRecord))
      throw new AskError('CHANGED', 'Another question has taken the place of this one')
    const now = clock.now()
    let checked: CheckedAnswer
    try {
      checked = checkAnswer(state, request, { ...who, needsRecord, isOnce, order, now })
    } catch (error) {
      if (!isConflict(error) || state.record?.state !== 'closing' || hasWaited) throw error
      // The receipt tells whether the answer that came first reached the agent.
      hasWaited = true
      state = await whenClosed(channel, request.toolCallId, clock)
      continue
    }
    if (checked.kind === 'stored') {
      // The host that wrote it may have failed at the last moment.
      await channel.persist(request.toolCallId)
      const after = await channel.read(request.toolCallId)
      if (isStill(checked.answerFile, after) || attempt >= ATTEMPTS)
        return confirmed(checked.answerFile, after.record)
      // Another answer counts: the stored one did not reach its sandbox in time.
      state = after
      continue
    }
    const { reason, browser } = request
    const facts = { author, reason, browser: isOnce ? browser : undefined, now: order?.time ?? now }
    const counted: CountedAnswer = ruling
      ? countVotes(state, checked.answer, ruling, { person: who.person, now: facts.now })
      : checked.answer
    const unsigned = answerFileFor(state, counted, { ...facts, rule: ruling?.rule })
    const answerFile = await signed(sign, unsigned, state.record)
    try {
      // The agent can replace the record, so the record is checked again during the write.
      const expectedRevision = answerFile.revision - 1
      return await confirmed(
        answerFile,
        await channel.write(answerFile, { expectedRevision, expectedRecord }),
        counted.missingVotes,
      )
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error
    }
    state = await channel.read(request.toolCallId)
  }
}

const isConflict = (error: unknown): boolean => error instanceof AskError && error.code === 'CONFLICT'

const isStill = ({ revision, timestamp }: AnswerFile, { answerFile }: QuestionState): boolean =>
  answerFile?.revision === revision && answerFile?.timestamp === timestamp

/** @throws AskError `UNREACHABLE` when the public keys of the run cannot be read. */
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
