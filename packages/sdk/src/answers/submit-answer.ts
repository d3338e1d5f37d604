import {
  type AnswerRequest,
  type Clock,
  checkOptions,
  invalid,
  type OptionNames,
  parseAnswerRequest,
  systemClock,
} from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { signerOf } from '../signing/sign-answer.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { arrivalTime } from './request-order.ts'
import { channelOf } from './sandbox-channel.ts'
import { type StoredAnswer, storeAnswer } from './store-answer.ts'

export interface SubmitOptions {
  /** Who answers, as the host authenticated them. It is stored with the answer. */
  answeredBy?: string | undefined
  /**
   * Takes answers to questions that no runner recorded: runners that are older, or not of SandAgent, record none. Default
   * true. An answer with a `questionDigest` is to a recorded question, and is never taken without its record.
   */
  olderRunners?: boolean | undefined
  /** What signs the answer. Default: this host's own keys, if it has any; `null` stores it unsigned. */
  signingKeys?: SigningKeys | null | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<SubmitOptions> = {
  answeredBy: true,
  olderRunners: true,
  signingKeys: true,
  clock: 'clock',
}

/**
 * Stores an answer or a draft, or declines, where the sandbox's runner finds it. The first final answer wins; the same
 * one again succeeds. A complete answer without a `status` is replaced by the next one until the runner has taken it.
 *
 * @throws AskError `INVALID_REQUEST`, `INVALID_QUESTIONS` or `INVALID_ANSWERS` with every fault, `NOT_FOUND` for an
 *   unknown question, `TOO_LARGE`, `CONFLICT` when another answer came first, `GONE` when the question ended without
 *   this answer, `UNREACHABLE` when nobody knows that yet: send the same again. `NO_SIGNING_KEY` when its run takes only
 *   answers that this host cannot sign. `CONFLICT` and `GONE` have the question's `QuestionView` under `facts.question`.
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
  const { signingKeys, clock = systemClock } = options
  const arrivedAt = arrivalTime(clock)
  const sign = signerOf(sandbox, { signingKeys, clock })
  const channel = channelOf(sandbox, { clock, signingKeys })
  return storeAnswer(channel, parseAnswerRequest(request), { ...options, arrivedAt, sign })
}

/**
 * Declines to answer.
 *
 * @throws AskError as {@link submitAnswer} does.
 */
export function declineQuestion(
  sandbox: AnswerableSandbox,
  question: Pick<AnswerRequest, 'toolCallId' | 'reason'>,
  options?: SubmitOptions,
): Promise<StoredAnswer> {
  return submitAnswer(sandbox, { ...question, status: 'declined' }, options)
}
