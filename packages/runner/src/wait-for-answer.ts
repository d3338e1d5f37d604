import {
  type Approval,
  AskError,
  type Clock,
  type QuestionRecord,
  type RunnerChannel,
  sleep,
} from '@sandagent/core'
import { type Ending, type Reading, readApproval } from './ending.ts'

/** What ended a wait: a person's decision, or the time or the signal, with the draft that was there. */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: 'timed-out' | 'aborted'; draft: Approval | null }

export interface WaitOptions {
  signal: AbortSignal | undefined
  clock: Clock
  /** Told of each approval that cannot be the answer. */
  onRefused: (refused: Reading & { kind: 'refused' }) => void
  /** How long to wait at first, in milliseconds, `null` for ever. Default: what is left of the record's own time. */
  firstWaitMs?: number | null
  /** The draft that is known already. */
  draft?: Approval | null
}

/** The pause before a channel that stopped telling of answers is listened to again, so that nothing spins. */
const LISTEN_AGAIN_MS = 100

/**
 * Waits until a person answers or declines, the time runs out, or the signal aborts. Each new draft begins the wait again.
 * A timer counts the time: the clock of this machine may jump, and the clock of the host that stored a draft may differ.
 */
export async function waitForAnswer(
  channel: RunnerChannel,
  record: QuestionRecord,
  { signal, clock, onRefused, draft = null, firstWaitMs = timeLeft(record, clock.now()) }: WaitOptions,
): Promise<WaitResult> {
  const { toolCallId } = record
  let isTimeUp = false
  let listening = new AbortController()
  let cancelTimer = (): void => {}

  const startTimer = (ms: number | null): void => {
    cancelTimer()
    isTimeUp = false
    const end = (): void => {
      isTimeUp = true
      listening.abort()
    }
    cancelTimer = ms === null ? () => {} : clock.after(ms, end)
  }
  const take = (approval: Approval | null): WaitResult | null => {
    const reading = approval && readApproval(record, approval)
    if (reading?.kind === 'draft' && JSON.stringify(reading.draft) !== JSON.stringify(draft)) {
      draft = reading.draft
      if (record.timeoutMs !== 'never') startTimer(record.timeoutMs)
    }
    if (reading?.kind === 'refused') onRefused(reading)
    return reading?.kind === 'ending' ? { kind: 'decided', ending: reading.ending } : null
  }
  const onAbort = (): void => listening.abort()

  signal?.addEventListener('abort', onAbort)
  startTimer(firstWaitMs)
  try {
    while (true) {
      listening = new AbortController()
      if (isTimeUp || signal?.aborted) listening.abort()
      for await (const approval of channel.answers(toolCallId, listening.signal)) {
        const decided = take(approval)
        if (decided) return decided
      }
      if (signal?.aborted) return { kind: 'aborted', draft }
      // A draft of the last moment may not have been noticed yet; it begins the wait again.
      const decided = take(await readIfPossible(channel, toolCallId))
      if (decided) return decided
      if (isTimeUp) return { kind: 'timed-out', draft }
      if (!listening.signal.aborted) await sleep(clock, LISTEN_AGAIN_MS, listening.signal)
    }
  } finally {
    cancelTimer()
    signal?.removeEventListener('abort', onAbort)
    listening.abort()
  }
}

/** What is left of the time of a record, never more than one wait: the clock of an earlier process may have been wrong. */
function timeLeft({ timeoutMs, deadline }: QuestionRecord, now: number): number | null {
  if (timeoutMs === 'never' || deadline === null) return null
  return Math.min(Math.max(0, Date.parse(deadline) - now), timeoutMs)
}

/** What cannot be read now is looked for again, at the latest when the question is closing. */
async function readIfPossible(channel: RunnerChannel, toolCallId: string): Promise<Approval | null> {
  try {
    return await channel.read(toolCallId)
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}
