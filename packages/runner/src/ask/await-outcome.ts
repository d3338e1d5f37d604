// Why it is so: docs/decisions/0007-a-wait-ends-in-two-steps.md

import {
  type AnswerFile,
  backOffMs,
  type ChannelWarning,
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
import { type AskOptions, stableMsOf } from './ask-options.ts'
import { type Ending, readAnswerFile, timeoutEnding } from './read-answer.ts'
import { readLast } from './read-last.ts'
import { isFailure, writeBehind, writeReceipt } from './receipts.ts'
import { type WaitOptions, type WaitResult, waitForAnswer } from './wait-for-answer.ts'

export const ABORTED: Ending = { state: 'aborted', responses: {} }

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
  const waiting = waitOptionsOf(record, options, observation)
  const waited: WaitResult =
    record.state === 'closing'
      ? { kind: record.closingFor, draft: null }
      : await waitForAnswer(channel, record, waiting)
  return endWait(channel, record, waited, options, waiting)
}

function waitOptionsOf(
  { toolCallId }: UnsettledRecord,
  options: AskOptions,
  observation: Observation | undefined,
): WaitOptions {
  const { signal, detachSignal, clock = systemClock, onWarning } = options
  return {
    signal: signal && detachSignal ? AbortSignal.any([signal, detachSignal]) : (signal ?? detachSignal),
    clock,
    stableMs: stableMsOf(options),
    onRefused: onWarning ? eachOnce(onWarning, toolCallId) : ignore,
    onAnswer: observation && ((answerFile) => observation.progress?.({ name: 'answered', answerFile })),
  }
}

const ignore = (): void => {}

/** Passes on each different warning once. */
function eachOnce(
  onWarning: (warning: ChannelWarning) => void,
  toolCallId: string,
): WaitOptions['onRefused'] {
  let warned: Set<string> | undefined
  return ({ code, message }) => {
    warned ??= new Set()
    if (!warned.has(message)) onWarning({ code, message, toolCallId })
    warned.add(message)
  }
}

/** Records how a question ended that waits no more. */
async function endWait(
  channel: RunnerChannel,
  record: UnsettledRecord,
  waited: WaitResult,
  options: AskOptions,
  waiting: WaitOptions,
): Promise<Outcome> {
  const { signal: stop, clock, onRefused } = waiting
  const { signal, onWarning, timeoutPolicy = DEFAULT_TIMEOUT_POLICY } = options
  const settle = (ending: Ending): Promise<Outcome> =>
    writeReceipt(channel, record, receiptOf(ending, clock), { clock, onWarning })

  for (let failures = 1; ; failures++) {
    if (waited.kind === 'decided')
      return writeBehind(channel, record, receiptOf(waited.ending, clock), { clock, onWarning })
    const { kind, draft } = waited
    if (kind === 'aborted' && record.state === 'open' && !signal?.aborted)
      return outcomeOf(withReceipt(record, receiptOf(ABORTED, clock)))
    try {
      await channel.close(record.toolCallId, kind)
      break
    } catch (error) {
      if (!isFailure(error)) throw error
      onRefused(error)
      // A withdrawal does not wait for the disk. The receipt is written later.
      if (kind === 'aborted') return settle(ABORTED)
      await sleep(clock, backOffMs(failures), stop)
      const more = kind === 'timed-out' ? { draft, firstWaitMs: 0 } : {}
      waited = await waitForAnswer(channel, record, { ...waiting, ...more })
    }
  }
  const stored = await readLast(channel, record.toolCallId, { clock, onUnreadable: onRefused })
  const last = stored && readAnswerFile(record, stored)
  if (last?.kind === 'ending') {
    waiting.onAnswer?.(stored as AnswerFile)
    return settle(last.ending)
  }
  if (waited.kind === 'answered' && waited.ending) return settle(waited.ending)
  if (waited.kind === 'aborted') return settle(ABORTED)
  return settle(timeoutEnding(record, last?.kind === 'draft' ? last.draft : waited.draft, timeoutPolicy))
}
