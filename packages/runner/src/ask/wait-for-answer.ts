import {
  type AnswerFile,
  AskError,
  type Clock,
  type ClosingReason,
  type QuestionRecord,
  type RunnerChannel,
  sleep,
} from '@sandagent/core/internal'
import { type Ending, hasPickedAll, isReplaceable, type Reading, readAnswerFile } from './read-answer.ts'
import { createRestartableTimer } from './restartable-timer.ts'

/** A final decision; or a reason to close the question and to read once more, with the answer or draft so far. */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: ClosingReason; draft: AnswerFile | null; ending?: Ending }

export interface WaitOptions {
  signal: AbortSignal | undefined
  clock: Clock
  /** See `AskOptions.quietMs`. */
  quietMs: number
  onRefused: (refused: Reading & { kind: 'refused' }) => void
  /** The first wait in milliseconds, `null` for ever. Default: what is left until the record's deadline. */
  firstWaitMs?: number | null
  draft?: AnswerFile | null
}

/** The pause before a subscription that ended is opened again. */
const LISTEN_AGAIN_MS = 100

/**
 * Waits until a person answers or declines, the time runs out, or the signal aborts. Each new draft restarts the time.
 * A timer measures it, because clocks may jump and the host's clock may differ.
 */
export async function waitForAnswer(
  channel: RunnerChannel,
  record: QuestionRecord,
  {
    signal,
    clock,
    quietMs,
    onRefused,
    draft = null,
    firstWaitMs = timeLeft(record, clock.now()),
  }: WaitOptions,
): Promise<WaitResult> {
  const { toolCallId } = record
  let listening = new AbortController()
  const stopListening = (): void => listening.abort()
  const time = createRestartableTimer(clock, stopListening)
  const quiet = createRestartableTimer(clock, stopListening)
  const latest: { complete: { content: string; answer: WaitResult } | null } = { complete: null }

  /** Keeps a draft or a replaceable answer. A new one shows that a person is there. */
  const note = (answerFile: AnswerFile, answer: WaitResult | null): void => {
    const content = JSON.stringify(answerFile)
    if (!answer) quiet.stop()
    else if (content !== latest.complete?.content) quiet.start(quietMs)
    latest.complete = answer && { content, answer }
    if (content !== JSON.stringify(draft) && record.timeoutMs !== 'never') time.start(record.timeoutMs)
    draft = answerFile
  }
  const take = (answerFile: AnswerFile | null): WaitResult | null => {
    const reading = answerFile && readAnswerFile(record, answerFile)
    if (!reading) return null
    if (reading.kind === 'refused') onRefused(reading)
    if (reading.kind === 'draft') {
      if (reading.isExpired) return { kind: 'timed-out', draft: reading.draft }
      note(reading.draft, null)
    }
    if (reading.kind !== 'ending') return null
    const { ending } = reading
    if (!isReplaceable(answerFile)) return { kind: 'decided', ending }
    const answer: WaitResult = { kind: 'answered', draft: answerFile, ending }
    if (hasPickedAll(record.questions, ending)) return answer
    note(answerFile, answer)
    return null
  }

  signal?.addEventListener('abort', stopListening)
  time.start(firstWaitMs)
  try {
    while (true) {
      listening = new AbortController()
      if (time.hasEnded() || quiet.hasEnded() || signal?.aborted) stopListening()
      for await (const answerFile of channel.subscribe(toolCallId, listening.signal)) {
        const decided = take(answerFile)
        if (decided) return decided
      }
      if (signal?.aborted) return { kind: 'aborted', draft }
      // The subscription may have missed a draft of the last moment.
      const decided = take(await readIfPossible(channel, toolCallId))
      if (decided) return decided
      if (quiet.hasEnded() && latest.complete) return latest.complete.answer
      if (time.hasEnded()) return { kind: 'timed-out', draft }
      if (!listening.signal.aborted) await sleep(clock, LISTEN_AGAIN_MS, listening.signal)
    }
  } finally {
    time.stop()
    quiet.stop()
    signal?.removeEventListener('abort', stopListening)
    stopListening()
  }
}

/** The time until the deadline. At most `timeoutMs`: an earlier process may have had a wrong clock. */
function timeLeft({ timeoutMs, deadline }: QuestionRecord, now: number): number | null {
  if (timeoutMs === 'never' || deadline === null) return null
  return Math.min(Math.max(0, Date.parse(deadline) - now), timeoutMs)
}

/** `null` if it cannot be read: it is read again at the latest when the question is closing. */
async function readIfPossible(channel: RunnerChannel, toolCallId: string): Promise<AnswerFile | null> {
  try {
    return await channel.read(toolCallId)
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}
