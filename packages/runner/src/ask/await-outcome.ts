// Why it is so: docs/decisions/0007-a-wait-ends-in-two-steps.md

import {
  type AnswerFile,
  AskError,
  backOffMs,
  type Clock,
  DEFAULT_QUIET_MS,
  DEFAULT_TIMEOUT_POLICY,
  distinctWarnings,
  type Observation,
  type Outcome,
  outcomeOf,
  type Receipt,
  type RunnerChannel,
  sleep,
  systemClock,
  type UnsettledRecord,
  withReceipt,
} from '@sandagent/core/internal'
import type { AskOptions } from './ask-options.ts'
import { type Ending, readAnswerFile, timeoutEnding } from './read-answer.ts'
import { isFailure, writeBehind, writeReceipt } from './receipts.ts'
import { AnswerWait, type WaitResult } from './wait-for-answer.ts'

export const ABORTED: Ending = { state: 'aborted', responses: {} }

/** How long the last read is tried again, at least. */
const ALL_PAUSES_MS = 10_000

export const receiptOf = (ending: Ending, clock: Clock): Receipt => ({
  ...ending,
  settledAt: new Date(clock.now()).toISOString(),
})

/** Waits for the answer to a question that was asked, and records how it ended. */
export async function awaitOutcome(
  channel: RunnerChannel,
  record: UnsettledRecord,
  options: AskOptions,
  observation?: Observation,
): Promise<Outcome> {
  const { signal, detachSignal, clock = systemClock, onWarning } = options
  const { timeoutPolicy = DEFAULT_TIMEOUT_POLICY, quietMs = DEFAULT_QUIET_MS } = options
  const { toolCallId } = record
  const stop = signal && detachSignal ? AbortSignal.any([signal, detachSignal]) : (signal ?? detachSignal)
  const warn = onWarning && distinctWarnings(onWarning)
  const onRefused = ({ code, message }: { code: string; message: string }): void =>
    warn?.(toolCallId, [{ code, message, toolCallId }])
  const onAnswer = (answerFile: AnswerFile): void => observation?.progress?.({ name: 'answered', answerFile })
  const settle = (ending: Ending): Promise<Outcome> =>
    writeReceipt(channel, record, receiptOf(ending, clock), { clock, onWarning })

  const wait = new AnswerWait(channel, record, {
    signal: stop,
    clock,
    stableMs: quietMs,
    onRefused,
    onAnswer,
  })
  let waited: WaitResult =
    record.state === 'closing' ? { kind: record.closingFor, draft: null } : await wait.result()
  for (let failures = 1; ; failures++) {
    if (waited.kind === 'decided')
      return writeBehind(channel, record, receiptOf(waited.ending, clock), { clock, onWarning })
    if (waited.kind === 'aborted' && record.state === 'open' && !signal?.aborted)
      return outcomeOf(withReceipt(record, receiptOf(ABORTED, clock)))
    try {
      await channel.close(toolCallId, waited.kind)
      break
    } catch (error) {
      if (!isFailure(error)) throw error
      onRefused(error)
      // A withdrawal does not wait for the disk. The receipt is written later.
      if (waited.kind === 'aborted') return settle(ABORTED)
      await sleep(clock, backOffMs(failures), stop)
      waited = await wait.result()
    }
  }
  const stored = await readLast(channel, toolCallId, clock, onRefused)
  const last = stored && readAnswerFile(record, stored)
  if (last?.kind === 'ending') {
    onAnswer(stored as AnswerFile)
    return settle(last.ending)
  }
  if (waited.kind === 'answered' && waited.ending) return settle(waited.ending)
  if (waited.kind === 'aborted') return settle(ABORTED)
  return settle(timeoutEnding(record, last?.kind === 'draft' ? stored : waited.draft, timeoutPolicy))
}

/**
 * Reads the answer file once the question is closing. The host stores an answer before it reads the record. So every
 * answer that the host acknowledged for the open question is found here. An unreadable file is tried again for a while.
 */
async function readLast(
  channel: RunnerChannel,
  toolCallId: string,
  clock: Clock,
  onUnreadable: (error: AskError) => void,
): Promise<AnswerFile | null> {
  let pausedMs = 0
  for (let failures = 1; ; failures++) {
    try {
      return await channel.read(toolCallId)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      onUnreadable(error)
      if (pausedMs >= ALL_PAUSES_MS) return null
      await sleep(clock, backOffMs(failures))
      pausedMs += backOffMs(failures)
    }
  }
}
