import { setMaxListeners } from 'node:events'
import {
  DEFAULT_TIMEOUT_MS,
  DEFAULT_TIMEOUT_POLICY,
  isSettled,
  type Outcome,
  outcomeOf,
  type RunnerChannel,
  sleep,
  systemClock,
  withReceipt,
} from '@sandagent/core/internal'
import { FIRST_PAUSE_MS, longerPause } from '../lib/back-off.ts'
import { type AskOptions, checkAskOptions } from './ask-options.ts'
import { type AskRequest, openRecordOf } from './ask-request.ts'
import { checkChannel } from './check-channel.ts'
import { type Ending, readAnswerFile, timeoutEnding } from './read-answer.ts'
import { readLast } from './read-last.ts'
import { isFailure, outcomeWithoutReceipt, writeBehind, writeReceipt } from './receipts.ts'
import { type WaitResult, waitForAnswer } from './wait-for-answer.ts'

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
  checkChannel(channel)
  checkAskOptions(options)
  const {
    timeoutMs = DEFAULT_TIMEOUT_MS,
    timeoutPolicy = DEFAULT_TIMEOUT_POLICY,
    signal,
    detachSignal,
    quietMs = QUIET_MS,
    clock = systemClock,
    onAsked,
    onWarning,
  } = options
  const asked = openRecordOf(request, timeoutMs, clock.now())
  const { toolCallId } = asked
  const receiptOf = (ending: Ending) => ({ ...ending, settledAt: new Date(clock.now()).toISOString() })

  // Many questions may wait with one signal. That is no leak.
  for (const target of [signal, detachSignal]) if (target) setMaxListeners(0, target)
  if (signal?.aborted) return outcomeOf(withReceipt(asked, receiptOf(ABORTED)))
  const earlier = outcomeWithoutReceipt(channel, asked)
  if (earlier) return earlier
  const record = await channel.open(asked)
  await onAsked?.(record)
  if (isSettled(record)) return outcomeOf(record)

  const settle = (ending: Ending): Promise<Outcome> =>
    writeReceipt(channel, record, receiptOf(ending), { clock, onWarning })
  const warned = new Set<string>()
  const onRefused = ({ code, message }: { code: string; message: string }): void => {
    if (!warned.has(message)) onWarning?.({ code, message, toolCallId })
    warned.add(message)
  }
  const stop = signal && detachSignal ? AbortSignal.any([signal, detachSignal]) : (signal ?? detachSignal)
  const waiting = { signal: stop, clock, quietMs, onRefused }
  let waited: WaitResult =
    record.state === 'closing'
      ? { kind: record.closingFor, draft: null }
      : await waitForAnswer(channel, record, waiting)
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
    if (waited.kind === 'decided')
      return writeBehind(channel, record, receiptOf(waited.ending), { clock, onWarning })
    const { kind, draft } = waited
    if (kind === 'aborted' && record.state === 'open' && !signal?.aborted)
      return outcomeOf(withReceipt(record, receiptOf(ABORTED)))
    try {
      await channel.close(toolCallId, kind)
      break
    } catch (error) {
      if (!isFailure(error)) throw error
      onRefused(error)
      // A withdrawal does not wait for the disk. The receipt is written later.
      if (kind === 'aborted') return settle(ABORTED)
      await sleep(clock, pauseMs, stop)
      const more = kind === 'timed-out' ? { draft, firstWaitMs: 0 } : {}
      waited = await waitForAnswer(channel, record, { ...waiting, ...more })
    }
  }
  const stored = await readLast(channel, toolCallId, { clock, onUnreadable: onRefused })
  const last = stored && readAnswerFile(record, stored)
  if (last?.kind === 'ending') return settle(last.ending)
  if (waited.kind === 'answered' && waited.ending) return settle(waited.ending)
  if (waited.kind === 'aborted') return settle(ABORTED)
  return settle(timeoutEnding(record, last?.kind === 'draft' ? last.draft : waited.draft, timeoutPolicy))
}

const QUIET_MS = 1500

const ABORTED: Ending = { state: 'aborted', responses: {} }
