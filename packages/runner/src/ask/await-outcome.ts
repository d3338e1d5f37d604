// Why it is so: docs/decisions/0007-a-wait-ends-in-two-steps.md

import {
  type AnswerFile,
  AskError,
  backOffMs,
  type Clock,
  DEFAULT_TIMEOUT_POLICY,
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
import { type Ending, readAnswerFile, type TimeoutPolicy, timeoutEnding } from './read-answer.ts'
import { isFailure, leaveBehind, writeBehind, writeReceipt } from './receipts.ts'
import { AnswerWait, type WaitResult } from './wait-for-answer.ts'

export const ABORTED: Ending = { state: 'aborted', responses: {} }

/** How long the last read is tried again, at least. */
const ALL_PAUSES_MS = 10_000

export const receiptOf = (ending: Ending, clock: Clock): Receipt => ({
  ...ending,
  settledAt: new Date(clock.now()).toISOString(),
})

/** How many calls of this process wait for a question, by its nonce. */
const waiting = new Map<string, number>()

function countWaiting(nonce: string, more: 1 | -1): void {
  const count = (waiting.get(nonce) ?? 0) + more
  if (count > 0) waiting.set(nonce, count)
  else waiting.delete(nonce)
}

/** Waits for the answer to a question that was asked, and records how it ended. */
export async function awaitOutcome(
  channel: RunnerChannel,
  record: UnsettledRecord,
  options: AskOptions,
  observation?: Observation,
): Promise<Outcome> {
  const { nonce } = record
  countWaiting(nonce, 1)
  const outcome = await waitForOutcome(channel, record, options, observation).finally(() =>
    countWaiting(nonce, -1),
  )
  if (outcome) return outcome
  if (!waiting.has(nonce)) leaveBehind(channel, record, options)
  return outcomeOf(withReceipt(record, receiptOf(ABORTED, options.clock ?? systemClock)))
}

/** `null`: the wait was given up, and the question stays open. */
async function waitForOutcome(
  channel: RunnerChannel,
  record: UnsettledRecord,
  options: AskOptions,
  observation?: Observation,
): Promise<Outcome | null> {
  const { signal, clock = systemClock, timeoutPolicy = DEFAULT_TIMEOUT_POLICY, onWarning } = options
  const { toolCallId } = record
  const wait = new AnswerWait(channel, record, options, observation)
  let waited: WaitResult =
    record.state === 'closing' ? { kind: record.closingFor, draft: null } : await wait.result()
  for (let failures = 1; ; failures++) {
    if (waited.kind === 'decided')
      return writeBehind(channel, record, receiptOf(waited.ending, clock), { clock, onWarning })
    if (waited.kind === 'aborted' && record.state === 'open' && !signal?.aborted) return null
    try {
      await channel.close(toolCallId, waited.kind)
      break
    } catch (error) {
      if (!isFailure(error)) throw error
      wait.refused(error)
      // A withdrawal does not wait for the disk. The receipt is written later.
      if (waited.kind === 'aborted') return settle(channel, record, ABORTED, options)
      // Nobody can answer it any more: another question has its place, or it has ended.
      if (error.code === 'CONFLICT') break
      await sleep(clock, backOffMs(failures), wait.signal)
      waited = await wait.result()
    }
  }
  const stored = await readLast(channel, toolCallId, clock, wait)
  return settle(channel, record, endingOf(record, waited, stored, { wait, timeoutPolicy }), options)
}

/** How a question ended that is closing, with the answer file that was read then. */
function endingOf(
  record: UnsettledRecord,
  waited: Exclude<WaitResult, { kind: 'decided' }>,
  stored: AnswerFile | null,
  { wait, timeoutPolicy }: { wait: AnswerWait; timeoutPolicy: TimeoutPolicy },
): Ending {
  const last = stored && readAnswerFile(record, stored)
  if (stored && last?.kind === 'ending') {
    wait.answered(stored)
    return last.ending
  }
  if (waited.kind === 'answered' && waited.ending) return waited.ending
  if (waited.kind === 'aborted') return ABORTED
  return timeoutEnding(record, last?.kind === 'draft' ? stored : waited.draft, timeoutPolicy)
}

const settle = (
  channel: RunnerChannel,
  record: UnsettledRecord,
  ending: Ending,
  { clock = systemClock, onWarning }: AskOptions,
): Promise<Outcome> => writeReceipt(channel, record, receiptOf(ending, clock), { clock, onWarning })

/**
 * Reads the answer file once the question is closing. The host stores an answer before it reads the record. So every
 * answer that the host acknowledged for the open question is found here. An unreadable file is tried again for a while.
 */
async function readLast(
  channel: RunnerChannel,
  toolCallId: string,
  clock: Clock,
  wait: AnswerWait,
): Promise<AnswerFile | null> {
  let pausedMs = 0
  for (let failures = 1; ; failures++) {
    try {
      return await channel.read(toolCallId)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      wait.refused(error)
      if (pausedMs >= ALL_PAUSES_MS) return null
      await sleep(clock, backOffMs(failures))
      pausedMs += backOffMs(failures)
    }
  }
}
