import {
  type AnswerFile,
  type AnswerRequest,
  type AnswerStatus,
  AskError,
  authorOf,
  beginOperation,
  type Clock,
  type GrantName,
  type HostChannel,
  type HostPasskeys,
  identityOf,
  isSameRecord,
  type Observation,
  observed,
  type QuestionRecord,
  type QuestionState,
  systemClock,
  type Viewer,
  votesNeeded,
} from '@sandagent/core/internal'
import type { GivenAnswer } from '../policy/count-votes.ts'
import { type HostGrants, scopeIn } from '../policy/host-grants.ts'
import type { Policy } from '../policy/parse-policy.ts'
import { checkPasskey, type PasskeyUse } from '../policy/passkeys.ts'
import { type Caller, viewerOf } from '../policy/viewer-of.ts'
import { checkAttachments } from '../sandbox/attachments.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { answerToStore } from './answer-to-store.ts'
import { type CheckedAnswer, checkAnswer, replaceableBy } from './check-answer.ts'
import { confirmAnswer, whenClosed } from './confirm-answer.ts'
import { arrivalTime, requestOrder } from './request-order.ts'

/** How often an answer is checked and written while drafts, votes or clicks come first: many may come at once. */
const ATTEMPTS = 100

export interface StoredAnswer {
  status: AnswerStatus
  /** Counts the writes for one question, from 1; 0 for an answer in the older format. */
  revision: number
  /** Under a policy: the answer is a vote. This many more people must give the same. */
  missingVotes?: number
  /** The grant that the request's `scope` has made. */
  grant?: GrantName
}

export interface StoreAnswerOptions extends Caller {
  /**
   * Where the question is asked: it says who owns the run, and which keys the run knows. Default: nobody owns it, and nothing
   * is signed.
   */
  sandbox?: AnswerableSandbox | undefined
  /** As in `SubmitOptions`. */
  policy?: Policy | undefined
  needsRecord?: boolean | undefined
  grants?: HostGrants | undefined
  passkeys?: HostPasskeys | undefined
  onSigned?: ((use: PasskeyUse) => void) | undefined
  /** The grant by which this answer is given. */
  grant?: GrantName | undefined
  signingKeys?: SigningKeys | null | undefined
  /** The question as it was read to admit the caller. Default: the question is read now. */
  state?: QuestionState | undefined
  /** When the request came, see {@link arrivalTime}. Default: now. */
  arrivedAt?: number | undefined
  observation?: Observation | undefined
  clock?: Clock | undefined
}

interface ObservedFacts extends Pick<AnswerRequest, 'toolCallId' | 'status'> {
  traceparent?: string | undefined
}

/** Stores an answer, and tells observers about it. */
export function observedStore(
  { toolCallId, status, traceparent }: ObservedFacts,
  store: (observation: Observation | undefined) => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  const observation = beginOperation({ name: 'store', toolCallId, status, traceparent })
  return observed(
    observation,
    () => store(observation),
    (stored) => ({ stored }),
  )
}

/**
 * Stores an answer from the state that a subscription has. It may be out of date. So what is refused from it is tried once more
 * without it, and then the question is read. What was stored is not stored twice.
 */
export async function fromLatest(
  channel: HostChannel,
  toolCallId: string,
  store: (state?: QuestionState) => Promise<StoredAnswer>,
): Promise<StoredAnswer> {
  const known = await channel.known(toolCallId)
  if (known) {
    try {
      return await store(known)
    } catch (error) {
      if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw error
    }
  }
  return store()
}

/**
 * Checks, signs, writes and confirms an answer of an admitted caller. After a conflict it reads the question again. The holder
 * of a link may answer only once, so a complete answer of theirs is always final.
 */
export async function storeAnswer(
  channel: HostChannel,
  request: AnswerRequest,
  {
    answeredBy,
    roles,
    link,
    sandbox,
    policy,
    needsRecord = false,
    grants,
    passkeys,
    onSigned,
    grant,
    signingKeys,
    state: admitted,
    arrivedAt,
    observation,
    clock = systemClock,
  }: StoreAnswerOptions,
): Promise<StoredAnswer> {
  const { toolCallId } = request
  // The runner may have recorded the question while its caller was admitted.
  let state = admitted?.record ? admitted : await channel.read(toolCallId, { ofRun: false })
  const { record: asked } = admitted ?? state
  const expectedRecord = asked ? identityOf(asked) : null
  observation?.progress?.({ name: 'found', record: asked })
  const isOnce = link !== undefined
  const caller = { answeredBy, roles, link, browser: request.browser }
  const viewer: Viewer = sandbox
    ? await viewerOf(caller, { record: asked }, { policy, sandbox, grants, passkeys })
    : authorOf(caller)
  const scope = await scopeIn(request, viewer, { grants, sandbox, record: asked, link })
  // A person's drafts replace each other, and so do answers without a status. The last one to arrive counts, not the last one
  // written.
  const hasOrder = (request.status ?? 'pending') === 'pending' && votesNeeded(viewer.rule) <= 1
  const order = hasOrder
    ? requestOrder(arrivedAt ?? arrivalTime(clock), replaceableBy(viewer, state)?.timestamp, clock)
    : undefined
  const confirmed = async (
    answerFile: AnswerFile,
    record: QuestionRecord | undefined,
    missingVotes?: number,
  ): Promise<StoredAnswer> => {
    await confirmAnswer(channel, answerFile, { before: state, record, viewer }, clock)
    const { status, revision = 0 } = answerFile
    // After a crash before this line, the client sends the same again.
    const given =
      scope !== undefined && grants && sandbox && asked
        ? await grants.give({ sandbox, record: asked }, scope, { answeredBy, roles })
        : null
    return {
      ...{ status, revision },
      ...(missingVotes !== undefined && { missingVotes }),
      ...(given && { grant: given }),
    }
  }
  // Told before the answer is written: it may count although its client hears of a failure.
  const signedBy = async (answer: GivenAnswer): Promise<PasskeyUse | undefined> => {
    const use = await checkPasskey(request, answer, { viewer, record: asked, passkeys })
    if (use) onSigned?.(use)
    return use
  }
  let isOfRun = false
  let hasWaited = false
  /** What a refused answer is checked with once more. @throws the refusal, if there is no more to learn */
  const stateAfter = async (refusal: unknown): Promise<QuestionState> => {
    // Only who is refused sees whether the run has ended.
    if (!isOfRun && refusal instanceof AskError && refusal.facts.question !== undefined) {
      isOfRun = true
      const { record, runEnded } = await channel.read(toolCallId)
      return runEnded && isSameRecord(record, expectedRecord) ? { ...state, runEnded } : state
    }
    if (!isConflict(refusal) || state.record?.state !== 'closing' || hasWaited) throw refusal
    // The receipt tells whether the answer that came first reached the agent.
    hasWaited = true
    return whenClosed(channel, toolCallId, clock)
  }
  for (let attempt = 1; ; attempt++) {
    if (!isSameRecord(state.record, expectedRecord))
      throw new AskError('CHANGED', 'Another question has taken the place of this one')
    const now = clock.now()
    let checked: CheckedAnswer
    try {
      checked = checkAnswer(state, request, { viewer, needsRecord, isOnce, order, now })
    } catch (error) {
      state = await stateAfter(error)
      continue
    }
    if (checked.kind === 'stored') {
      await signedBy(checked.answer).catch(unlessRefused)
      // The host that wrote it may have failed at the last moment.
      await channel.persist(toolCallId)
      const after = await channel.read(toolCallId)
      if (isStill(checked.answerFile, after) || attempt >= ATTEMPTS)
        return confirmed(checked.answerFile, after.record)
      // Another answer counts: the stored one did not reach its sandbox in time.
      state = after
      continue
    }
    if (sandbox) await checkAttachments(sandbox, toolCallId, checked.answer.responses)
    const isSigned = (await signedBy(checked.answer)) !== undefined
    const { answerFile, missingVotes } = await answerToStore(state, checked.answer, request, {
      ...{ viewer, sandbox, signingKeys, clock, grant },
      proof: isSigned ? request.passkey : undefined,
      browser: isOnce ? request.browser : undefined,
      now: order?.time ?? now,
    })
    try {
      // The agent can replace the record, so the record is checked again during the write.
      const written = await channel.write(answerFile, {
        expectedRevision: answerFile.revision - 1,
        expectedRecord,
      })
      return await confirmed(answerFile, written, missingVotes)
    } catch (error) {
      if (!isConflict(error) || attempt >= ATTEMPTS) throw error
    }
    state = await channel.read(toolCallId)
  }
}

/** What is stored counts, also where its passkey was removed since. */
const unlessRefused = (error: unknown): void => {
  if (!(error instanceof AskError && error.code === 'PASSKEY_NEEDED')) throw error
}

const isConflict = (error: unknown): boolean => error instanceof AskError && error.code === 'CONFLICT'

const isStill = ({ revision, timestamp }: AnswerFile, { answerFile }: QuestionState): boolean =>
  answerFile?.revision === revision && answerFile?.timestamp === timestamp
