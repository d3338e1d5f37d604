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

/**
 * What ended a wait: a decision that nobody can change any more; or a reason to close the question and to look once
 * more, with the answer or the draft that was there.
 */
export type WaitResult =
  | { kind: 'decided'; ending: Ending }
  | { kind: ClosingReason; draft: AnswerFile | null; ending?: Ending }

export interface WaitOptions {
  signal: AbortSignal | undefined
  clock: Clock
  /** How long an answer that may still be replaced stays the same before it counts, in milliseconds. */
  quietMs: number
  /** Told of each answer file that cannot be the answer. */
  onRefused: (refused: Reading & { kind: 'refused' }) => void
  /** How long to wait at first, in milliseconds, `null` for ever. Default: what is left of the record's own time. */
  firstWaitMs?: number | null
  /** The draft that is known already. */
  draft?: AnswerFile | null
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

  /** Notes a draft, or an answer that may still be replaced; a new one is a sign of a person. */
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
      // A draft of the last moment may not have been noticed yet; it begins the wait again.
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

/** What is left of the time of a record, never more than one wait: the clock of an earlier process may have been wrong. */
function timeLeft({ timeoutMs, deadline }: QuestionRecord, now: number): number | null {
  if (timeoutMs === 'never' || deadline === null) return null
  return Math.min(Math.max(0, Date.parse(deadline) - now), timeoutMs)
}

/** What cannot be read now is looked for again, at the latest when the question is closing. */
async function readIfPossible(channel: RunnerChannel, toolCallId: string): Promise<AnswerFile | null> {
  try {
    return await channel.read(toolCallId)
  } catch (error) {
    if (error instanceof AskError) return null
    throw error
  }
}
