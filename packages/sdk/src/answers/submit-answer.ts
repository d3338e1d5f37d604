import {
  type AnswerRequest,
  checkOptions,
  type OptionNames,
  parseAnswerRequest,
  systemClock,
} from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { signerOf } from '../signing/sign-answer.ts'
import { arrivalTime } from './arrival-time.ts'
import { channelOf } from './sandbox-channel.ts'
import { type StoredAnswer, type StoreOptions, storeAnswer } from './store-answer.ts'

/** An answer, and who gives it. */
export interface SubmittedAnswer extends AnswerRequest {
  /** Who answers, as the host authenticated them. */
  answeredBy?: string
}

const NAMES: OptionNames<StoreOptions> = { olderRunners: true, signingKeys: true, clock: true }

/**
 * Stores an answer, a draft or a refusal where the sandbox's runner finds it. The first final answer wins; the same
 * one again succeeds. A complete answer without a `status` is replaced by the next one until the runner has taken it.
 *
 * @throws AskError `INVALID_REQUEST`, `INVALID_QUESTIONS` or `INVALID_ANSWERS` with every fault, `NOT_FOUND` for an
 *   unknown question, `TOO_LARGE`, `CONFLICT` when another answer came first, `GONE` when the question ended without
 *   this answer, `UNREACHABLE` when nobody knows that yet: send the same again. `NO_SIGNING_KEY` when its run takes only
 *   answers that this host cannot sign. `CONFLICT` and `GONE` have the question's `QuestionView` under `facts.question`.
 */
export async function submitAnswer(
  sandbox: AnswerableSandbox,
  { answeredBy, ...request }: SubmittedAnswer,
  given: StoreOptions = {},
): Promise<StoredAnswer> {
  checkOptions('submitAnswer: its options', given, NAMES)
  const { signingKeys, clock = systemClock, ...options } = given
  const arrivedAt = arrivalTime(clock)
  const sign = signerOf(sandbox, { signingKeys, clock })
  const channel = channelOf(sandbox, { clock, signingKeys })
  return storeAnswer(channel, parseAnswerRequest(request), { ...options, clock, answeredBy, arrivedAt, sign })
}

/**
 * Declines to answer.
 *
 * @throws AskError as {@link submitAnswer} does.
 */
export function declineQuestion(
  sandbox: AnswerableSandbox,
  refusal: Pick<SubmittedAnswer, 'toolCallId' | 'reason' | 'answeredBy'>,
  options?: StoreOptions,
): Promise<StoredAnswer> {
  return submitAnswer(sandbox, { ...refusal, status: 'declined' }, options)
}
