import { setImmediate } from 'node:timers/promises'
import {
  AskError,
  backgroundClock,
  type ChannelWarning,
  type Clock,
  isSameQuestion,
  type Outcome,
  outcomeOf,
  type QuestionRecord,
  type Receipt,
  type RunnerChannel,
  systemClock,
  untilDone,
  withReceipt,
} from '@sandagent/core/internal'

interface WriteOptions {
  clock: Clock
  onWarning: ((warning: ChannelWarning) => void) | undefined
}

interface Unwritten {
  channel: RunnerChannel
  record: QuestionRecord
  outcome: Outcome
  stop: AbortController
  written: Promise<void>
}

/** A list is fast enough: receipts wait only while they are being written, or while the disk fails. */
const unwritten = new Set<Unwritten>()

/** Whether the system failed, so that another try may help. Other errors are bugs. */
export const isFailure = (error: unknown): error is Error & { code: string } =>
  error instanceof AskError || (error instanceof Error && 'code' in error && typeof error.code === 'string')

/** The outcome that this process returned for a call whose receipt is not written yet. */
export function outcomeWithoutReceipt(channel: RunnerChannel, asked: QuestionRecord): Outcome | undefined {
  for (const earlier of unwritten) {
    if (earlier.channel !== channel || earlier.record.toolCallId !== asked.toolCallId) continue
    if (isSameQuestion(earlier.record, asked)) return earlier.outcome
    earlier.stop.abort()
  }
  return undefined
}

/** Gives up the receipt of a question that is asked again, if it is not written yet. */
export async function withdrawReceipt(channel: RunnerChannel, record: QuestionRecord): Promise<void> {
  for (const { channel: its, record: earlier, stop, written } of [...unwritten])
    if (its === channel && earlier.nonce === record.nonce) {
      stop.abort()
      await written
    }
}

/** Writes the receipt, then returns the outcome. A failed write is tried again in the background. */
export async function writeReceipt(
  channel: RunnerChannel,
  record: QuestionRecord,
  receipt: Receipt,
  options: WriteOptions,
): Promise<Outcome> {
  try {
    return outcomeOf(await channel.settle(record.toolCallId, receipt))
  } catch (error) {
    if (!isFailure(error)) throw error
    return writeBehind(channel, record, receipt, options)
  }
}

/**
 * Returns the outcome at once, and writes the receipt in the background until it succeeds. A process that dies before finds
 * the same answer again.
 */
export function writeBehind(
  channel: RunnerChannel,
  record: QuestionRecord,
  receipt: Receipt,
  { clock, onWarning }: WriteOptions,
): Outcome {
  const { toolCallId } = record
  const outcome = outcomeOf(withReceipt(record, receipt))
  const stop = new AbortController()
  let hasFailed = false
  const write = (): Promise<void> =>
    untilDone(() => channel.settle(toolCallId, receipt), {
      clock: clock === systemClock ? backgroundClock : clock,
      signal: stop.signal,
      onFailure(error) {
        if (!hasFailed) onWarning?.(warningOf(error, toolCallId))
        hasFailed = true
      },
    })
  // The agent goes on first.
  const written = setImmediate()
    .then(write)
    .then(() => void unwritten.delete(entry))
  const entry: Unwritten = { channel, record, outcome, stop, written }
  unwritten.add(entry)
  return outcome
}

/** What tells people that nobody waits for these calls any more, while it is being written. */
const leaving = new Map<string, Promise<void>>()

/** Tells people in the background that nobody waits. Where that cannot be stored, they learn it when the process ends. */
export function leaveBehind(
  channel: RunnerChannel,
  { toolCallId }: QuestionRecord,
  { onWarning }: Partial<Pick<WriteOptions, 'onWarning'>>,
): void {
  const left = channel
    .leave(toolCallId)
    .catch((error: unknown) => onWarning?.({ ...reasonOf(error), toolCallId }))
    .then(() => {
      if (leaving.get(toolCallId) === left) leaving.delete(toolCallId)
    })
  leaving.set(toolCallId, left)
}

/** Resolves once nobody is leaving a call: whoever asks again would be taken for gone, too. */
export const hasLeft = async (toolCallId: string): Promise<void> => leaving.get(toolCallId)

const reasonOf = (error: unknown): Pick<ChannelWarning, 'code' | 'message'> => {
  const { code, message } = isFailure(error) ? error : { code: 'UNREACHABLE', message: String(error) }
  return { code, message }
}

function warningOf(error: unknown, toolCallId: string): ChannelWarning {
  const { code, message } = reasonOf(error)
  return {
    code,
    message: `The receipt of this question cannot be written, and is tried again: ${message}`,
    toolCallId,
  }
}

/**
 * Resolves once every receipt of this process is written, and people know of the questions for which nobody waits any more.
 * Wait for it, with a limit of your own, before the process ends: background tries do not keep the process alive.
 */
export async function receiptsWritten(): Promise<void> {
  await Promise.all([...[...unwritten].map(({ written }) => written), ...leaving.values()])
}
