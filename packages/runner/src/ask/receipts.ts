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
  sleep,
  systemClock,
  withReceipt,
} from '@sandagent/core/internal'
import { FIRST_PAUSE_MS, longerPause } from '../lib/back-off.ts'

interface Unwritten {
  record: QuestionRecord
  outcome: Outcome
  stop: () => void
  written: Promise<void>
}

const unwritten = new Map<RunnerChannel, Map<string, Unwritten>>()

/** Whether the system failed, so that another try may help. Other errors are bugs. */
export const isFailure = (error: unknown): error is Error & { code: string } =>
  error instanceof AskError || (error instanceof Error && 'code' in error && typeof error.code === 'string')

/** The outcome that this process returned for a call whose receipt is not written yet. */
export function outcomeWithoutReceipt(channel: RunnerChannel, asked: QuestionRecord): Outcome | undefined {
  const earlier = unwritten.get(channel)?.get(asked.toolCallId)
  if (earlier && isSameQuestion(earlier.record, asked)) return earlier.outcome
  earlier?.stop()
  return undefined
}

/** Writes the receipt and returns the outcome. A failed write is tried again in the background. */
export async function writeReceipt(
  channel: RunnerChannel,
  record: QuestionRecord,
  receipt: Receipt,
  { clock, onWarning }: { clock: Clock; onWarning: ((warning: ChannelWarning) => void) | undefined },
): Promise<Outcome> {
  const { toolCallId } = record
  try {
    return outcomeOf(await channel.settle(toolCallId, receipt))
  } catch (error) {
    if (!isFailure(error)) throw error
    const message = `The receipt of this question cannot be written, and is tried again: ${error.message}`
    onWarning?.({ code: error.code, message, toolCallId })
    const outcome = outcomeOf(withReceipt(record, receipt))
    const background = clock === systemClock ? backgroundClock : clock
    keepTrying(channel, { record, outcome }, () => channel.settle(toolCallId, receipt), background)
    return outcome
  }
}

function keepTrying(
  channel: RunnerChannel,
  facts: Pick<Unwritten, 'record' | 'outcome'>,
  write: () => Promise<unknown>,
  clock: Clock,
): void {
  const { toolCallId } = facts.record
  const calls = unwritten.get(channel) ?? new Map<string, Unwritten>()
  const stop = new AbortController()
  const tries = async (): Promise<void> => {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
      await sleep(clock, pauseMs, stop.signal)
      if (stop.signal.aborted) break
      try {
        await write()
        break
      } catch {} // The first failure was reported.
    }
    if (calls.get(toolCallId) === entry) calls.delete(toolCallId)
    if (calls.size === 0) unwritten.delete(channel)
  }
  const entry: Unwritten = { ...facts, stop: () => stop.abort(), written: Promise.resolve() }
  calls.set(toolCallId, entry)
  unwritten.set(channel, calls)
  entry.written = tries()
}

/**
 * Resolves once every receipt of this process is written. Wait for it, with a limit of your own, before the process ends:
 * background tries do not keep the process alive.
 */
export async function receiptsWritten(): Promise<void> {
  const calls = [...unwritten.values()].flatMap((entries) => [...entries.values()])
  await Promise.all(calls.map(({ written }) => written))
}
