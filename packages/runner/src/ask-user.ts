import {
  type ChannelWarning,
  type Clock,
  isSettled,
  type Outcome,
  outcomeOf,
  type QuestionRecord,
  type RunnerChannel,
  settleRecord,
  systemClock,
  type TimeoutMs,
} from '@sandagent/core'
import { type AskRequest, recordOf } from './ask-request.ts'
import { type Ending, type OnTimeout, readApproval, timeoutEnding } from './ending.ts'
import { readLast } from './read-last.ts'
import { type WaitResult, waitForAnswer } from './wait-for-answer.ts'

export interface AskOptions {
  /** How long nobody may touch the question, in milliseconds. Default `never`; an adopted question keeps its own. */
  timeoutMs?: TimeoutMs
  /** Default `partial`. */
  onTimeout?: OnTimeout
  /** Withdraws the question. */
  signal?: AbortSignal
  /** Ends the wait alone: the outcome is `aborted` too, but the question stays open for the next asking to adopt. */
  leave?: AbortSignal
  /**
   * How long an answer to a multiple choice or in words must stay the same, in milliseconds, where it came without a
   * status and may still be replaced. Default 1500.
   */
  quietMs?: number
  clock?: Clock
  /** Called once the question can be answered, before the wait; what it returns is waited for. */
  onAsked?: (record: QuestionRecord) => void | Promise<void>
  /** Told of approvals that are there and cannot be the answer; the wait goes on. */
  onWarning?: (warning: ChannelWarning) => void
}

/**
 * Asks the user and waits for the answer. Every ending of the question is a value, also a refusal, a time-out and
 * an abort. After a restart the same call adopts the question that is there; a settled one gives the same outcome
 * again.
 *
 * @throws AskError `INVALID_REQUEST` and `INVALID_QUESTIONS` before anything is written, `CONFLICT` when other questions were asked under
 *   this tool call id, and what the channel throws when it cannot do its work.
 */
export async function askUser(
  channel: RunnerChannel,
  request: AskRequest,
  options: AskOptions = {},
): Promise<Outcome> {
  const {
    timeoutMs = 'never',
    onTimeout = 'partial',
    signal,
    leave,
    quietMs = QUIET_MS,
    clock = systemClock,
    onAsked,
    onWarning,
  } = options
  const { toolCallId } = request
  const asked = recordOf(request, timeoutMs, clock.now())
  const settlementOf = (ending: Ending) => ({ ...ending, settledAt: new Date(clock.now()).toISOString() })
  const settle = async (ending: Ending): Promise<Outcome> =>
    outcomeOf(await channel.settle(toolCallId, settlementOf(ending)))

  if (signal?.aborted) return outcomeOf(settleRecord(asked, settlementOf(ABORTED)))
  const record = await channel.open(asked)
  await onAsked?.(record)
  if (isSettled(record)) return outcomeOf(record)

  const warned = new Set<string>()
  const onRefused = ({ code, message }: { code: string; message: string }): void => {
    if (!warned.has(message)) onWarning?.({ code, message, toolCallId })
    warned.add(message)
  }
  const stop = signal && leave ? AbortSignal.any([signal, leave]) : (signal ?? leave)
  const waited: WaitResult =
    record.state === 'closing'
      ? { kind: record.closingFor, draft: null }
      : await waitForAnswer(channel, record, { signal: stop, clock, quietMs, onRefused })
  if (waited.kind === 'decided') return settle(waited.ending)
  if (waited.kind === 'aborted' && record.state === 'open' && !signal?.aborted)
    return outcomeOf(settleRecord(record, settlementOf(ABORTED)))
  await channel.close(toolCallId, waited.kind)
  const stored = await readLast(channel, toolCallId, { clock, onUnreadable: onRefused })
  const last = stored && readApproval(record, stored)
  if (last?.kind === 'ending') return settle(last.ending)
  if (waited.kind === 'answered' && waited.ending) return settle(waited.ending)
  if (waited.kind === 'aborted') return settle(ABORTED)
  return settle(timeoutEnding(record, last?.kind === 'draft' ? last.draft : waited.draft, onTimeout))
}

const QUIET_MS = 1500

const ABORTED: Ending = { state: 'aborted', responses: {} }
