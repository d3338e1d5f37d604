import {
  type AnswerRequest,
  type Clock,
  checkOptions,
  invalid,
  type OptionNames,
  parseAnswerRequest,
  systemClock,
} from '@sandagent/core/internal'
import type { HostGrants } from '../policy/host-grants.ts'
import { type Policy, parsePolicy } from '../policy/parse-policy.ts'
import type { PasskeyUse } from '../policy/passkeys.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { arrivalTime } from './request-order.ts'
import { channelOf, type HostOptions } from './sandbox-channel.ts'
import { fromLatest, observedStore, type StoredAnswer, storeAnswer } from './store-answer.ts'

export interface SubmitOptions extends Pick<HostOptions, 'passkeys'> {
  /** The person who answers, as the host authenticated them. It is stored with the answer. */
  answeredBy?: string | undefined
  /** The roles that this person has, for the policy. */
  roles?: readonly string[] | undefined
  /** Who may answer which questions, and how many people must give the same answer. Default: everybody may, alone. */
  policy?: Policy | undefined
  /**
   * Refuses answers to questions without a record: runners that are older, or not of SandAgent, write none. Default false. A
   * policy, and an answer with a `questionDigest`, always need the record.
   */
  needsRecord?: boolean | undefined
  /** The grants of this host: with them, a request may have a `scope`. Default: none. */
  grants?: HostGrants | undefined
  /**
   * Called with what a passkey has signed, before the answer is stored: for an audit log. It is a proof also where the answer
   * counts, and `submitAnswer` fails all the same.
   */
  onSigned?: ((use: PasskeyUse) => void) | undefined
  /** Sign the answer. Default: this host's own keys, if it has any; `null` stores the answer unsigned. */
  signingKeys?: SigningKeys | null | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<SubmitOptions> = {
  answeredBy: true,
  roles: 'list',
  policy: 'list',
  needsRecord: true,
  grants: true,
  passkeys: true,
  onSigned: 'function',
  signingKeys: true,
  clock: 'clock',
}

/**
 * Stores an answer, a draft or a decline where the sandbox's runner finds it. The first final answer wins; sending the
 * same one again succeeds. A complete answer without a `status` can be replaced until the runner has taken it.
 *
 * @throws AskError `INVALID_REQUEST`, `INVALID_QUESTIONS` or `INVALID_ANSWERS` with every fault; `TOO_LARGE`; `NOT_FOUND`
 *   for an unknown question; `CONFLICT` when another answer came first, and `GONE` when the question ended without this
 *   answer, both with its `QuestionView` under `facts.question`; `UNREACHABLE` when the result is not known yet: send the
 *   same again; `NOT_ALLOWED` when the policy lets others answer, with the view too; `NO_SIGNING_KEY` when the run accepts
 *   only answers that this host cannot sign.
 */
export async function submitAnswer(
  sandbox: AnswerableSandbox,
  request: AnswerRequest,
  options: SubmitOptions = {},
): Promise<StoredAnswer> {
  checkOptions('submitAnswer: its options', options, NAMES)
  if ('answeredBy' in Object(request))
    throw invalid('INVALID_REQUEST', 'submitAnswer: its request', [
      { path: 'answeredBy', expected: 'no such name; it is an option' },
    ])
  const { signingKeys, passkeys, clock = systemClock } = options
  const policy = options.policy && parsePolicy(options.policy)
  const needsRecord = options.needsRecord === true || policy !== undefined
  const arrivedAt = arrivalTime(clock)
  const channel = channelOf(sandbox, { clock, signingKeys, passkeys })
  const answer = parseAnswerRequest(request)
  return observedStore(answer, (observation) =>
    fromLatest(channel, answer.toolCallId, (state) =>
      storeAnswer(channel, answer, {
        ...options,
        sandbox,
        policy,
        needsRecord,
        state,
        arrivedAt,
        observation,
      }),
    ),
  )
}

/** Declines to answer; with `asksBack`, asks the agent what `reason` says. @throws AskError as {@link submitAnswer} does. */
export function declineQuestion(
  sandbox: AnswerableSandbox,
  question: Pick<AnswerRequest, 'toolCallId' | 'reason' | 'asksBack'>,
  options?: SubmitOptions,
): Promise<StoredAnswer> {
  return submitAnswer(sandbox, { ...question, status: 'declined' }, options)
}
