import { randomUUID } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import {
  beginOperation,
  DEFAULT_TIMEOUT_MS,
  filesIn,
  hasSecret,
  holdProcess,
  isSettled,
  type Observation,
  type OpenRecord,
  type Outcome,
  observed,
  outcomeOf,
  type QuestionRecord,
  type RunnerChannel,
  systemClock,
  TRACEPARENT_VARIABLE,
  traceparentIn,
  withReceipt,
} from '@sandagent/core/internal'
import { type AskOptions, checkAskOptions } from './ask-options.ts'
import { type AskRequest, openRecordOf } from './ask-request.ts'
import { noteAskedBack, takeFollowed } from './asked-back.ts'
import { ABORTED, awaitOutcome, receiptOf } from './await-outcome.ts'
import { checkChannel } from './check-channel.ts'
import { hasLeft, outcomeWithoutReceipt, withdrawReceipt } from './receipts.ts'
import { afterWithdrawals } from './withdrawals.ts'

/**
 * Asks the user and waits for the answer. A decline, a time-out and an abort are outcomes too, not errors. After a
 * restart the same call adopts its question. If that question is settled, the call returns the same outcome again.
 *
 * The receipt of a final answer is written right behind: see `receiptsWritten`. A time-out counts only once it is recorded,
 * because until then the host still accepts an answer.
 *
 * @throws AskError `INVALID_REQUEST` and `INVALID_QUESTIONS` before anything is written, `CONFLICT` when the tool call id
 *   belongs to other questions, and errors of the channel.
 */
export async function askUser(
  channel: RunnerChannel,
  request: AskRequest,
  options: AskOptions = {},
): Promise<Outcome> {
  checkAskOptions(options)
  checkChannel(channel)
  const { timeoutMs = DEFAULT_TIMEOUT_MS, signal, detachSignal, clock = systemClock } = options
  const record = openRecordOf(request, timeoutMs, clock.now())
  const takesFiles = record.questions.some(({ files }) => files)
  const asked = takesFiles ? (await attachedFiles()).askedWithout(channel, record) : record

  // Many questions may wait with one signal. That is no leak.
  for (const target of [signal, detachSignal]) if (target) setMaxListeners(0, target)
  if (signal?.aborted) return outcomeOf(withReceipt(asked, receiptOf(ABORTED, clock)))
  const earlier = outcomeWithoutReceipt(channel, asked)
  if (earlier)
    return placed(
      channel,
      hasSecret(asked.questions) ? await (await secretQuestions()).toldAgain(earlier) : earlier,
      options,
    )
  const observation = beginOperation({ name: 'ask', record: asked })
  // A question without a trace of its own belongs to the trace of the parent process.
  const traceparent = observation?.traceparent ?? traceparentIn(process.env[TRACEPARENT_VARIABLE])
  const follows = takeFollowed(channel, asked)
  const traced = {
    ...asked,
    ...(follows && { follows }),
    ...(traceparent !== undefined && { traceparent }),
  }
  const asking = () =>
    afterWithdrawals(asked.toolCallId, signal, () => ask(channel, traced, options, observation))
  if (!observation) return asking()
  return observed(
    observation,
    asking,
    // A question whose wait was only given up has not ended: the next process takes it up.
    (outcome) => (outcome.kind === 'aborted' && detachSignal?.aborted && !signal?.aborted ? {} : { outcome }),
  )
}

async function ask(
  channel: RunnerChannel,
  asked: OpenRecord,
  options: AskOptions,
  observation?: Observation,
  refused?: QuestionRecord,
): Promise<Outcome> {
  await hasLeft(asked.toolCallId)
  const secrets = hasSecret(asked.questions) ? await secretQuestions() : null
  const open = async (given: OpenRecord): Promise<QuestionRecord> => {
    // A question whose answer cannot be used is asked anew.
    const record = await channel.open(given, refused && { mayAdopt: async () => false })
    return options.asksWithdrawn && record.state === 'aborted'
      ? channel.open(given, { mayAdopt: async ({ state }) => state !== 'aborted' })
      : record
  }
  const record = await (secrets ? secrets.openWithKeys(channel, asked, open) : open(asked))
  if (refused) await secrets?.dropSecrets(refused.questions, record.questions)
  await options.onAsked?.(record)
  observation?.progress?.({ name: 'asked', record })
  const noted = async (outcome: Outcome): Promise<Outcome> => {
    if (outcome.asksBack) noteAskedBack(channel, record, outcome.reason ?? '')
    const isDetached = outcome.kind === 'aborted' && !options.signal?.aborted
    if (!secrets || isDetached) return placed(channel, outcome, options)
    // Whoever starts again has lost what it read before. Others only look at the outcome again.
    const given = await secrets.takeGiven(record, outcome, isSettled(record) && !options.asksWithdrawn)
    if (given) return placed(channel, given, options)
    options.onWarning?.({ code: 'INVALID_ANSWERS', message: UNOPENED, toolCallId: record.toolCallId })
    await withdrawReceipt(channel, record)
    return ask(channel, { ...asked, nonce: randomUUID() }, options, observation, record)
  }
  // Nothing is awaited here any more, so that what asking needed is not kept while the question waits.
  return isSettled(record)
    ? noted(outcomeOf(record))
    : awaitOutcome(channel, record, options, observation).then(noted).finally(holdProcess())
}

const UNOPENED =
  'A secret that cannot be opened is asked for again: it was read before, its key is gone, or it was sealed for another question'

/** The outcome with the places of its files. */
const placed = async (channel: RunnerChannel, outcome: Outcome, options: AskOptions): Promise<Outcome> =>
  filesIn(outcome.responses).length === 0
    ? outcome
    : (await attachedFiles()).withPaths(channel, outcome, options)

/** Loads what files of answers need: most calls take none. */
const attachedFiles = (): Promise<typeof import('./attached-files.ts')> => import('./attached-files.ts')

/** Loads what secrets need: most calls ask for none. */
const secretQuestions = (): Promise<typeof import('./secrets/secret-questions.ts')> =>
  import('./secrets/secret-questions.ts')
