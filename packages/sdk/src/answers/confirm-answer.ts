import {
  type AnswerFile,
  AskError,
  type Clock,
  type HostChannel,
  identityOf,
  isSameRecord,
  type QuestionRecord,
  type QuestionState,
  type Viewer,
  viewOf,
} from '@sandagent/core/internal'
import { gone, hasTaken, isEnded } from './check-answer.ts'

/** How long a host waits for the receipt of a closing question. */
const LONGEST_WAIT_MS = 10_000

/**
 * Finds out whether an answer that was just stored came in time. The runner of an open question looks for answers once
 * more before the question ends, so it will find this one. The runner of a closing question may have looked before. Then
 * only the receipt tells.
 *
 * @param record of the question, read after the answer had been stored
 * @throws AskError `GONE` when the question ended without this answer; `UNREACHABLE` when no receipt comes. The answer is
 *   stored then, and the client learns more by sending it again.
 */
export async function confirmAnswer(
  channel: HostChannel,
  answerFile: AnswerFile,
  { before, record, viewer }: { before: QuestionState; record: QuestionRecord | undefined; viewer: Viewer },
  clock: Clock,
): Promise<void> {
  if (before.record && !record)
    throw new AskError('UNREACHABLE', 'The question went away while its answer was stored')
  const asked = before.record && identityOf(before.record)
  if (record?.state === 'open' || !isSameRecord(record, asked)) return
  if (isEnded(record) && hasTaken(record, answerFile)) return
  const state = await whenClosed(channel, before.toolCallId, clock)
  if (!isSameRecord(state.record, asked)) return
  if (isEnded(state.record)) {
    if (!hasTaken(state.record, answerFile)) throw gone(viewOf(state, clock.now(), viewer))
  } else if (state.record?.state === 'closing' && !state.runEnded) {
    const message =
      'This answer is stored, but the run that asks has not taken it up yet. Send it again to learn more.'
    throw new AskError('UNREACHABLE', message, { facts: { question: viewOf(state, clock.now(), viewer) } })
  }
}

/** The state of a question when it is no longer closing, when its run has ended, or when the time is up. */
export async function whenClosed(
  channel: HostChannel,
  toolCallId: string,
  clock: Clock,
): Promise<QuestionState> {
  const state = await channel.read(toolCallId)
  if (state.record?.state !== 'closing') return state
  const stop = new AbortController()
  const cancelTimer = clock.after(LONGEST_WAIT_MS, () => stop.abort())
  try {
    // A run that has ended may have written its receipt just before, so the question is read again below.
    for await (const next of channel.subscribe(stop.signal, toolCallId))
      if (next.record?.state !== 'closing' || next.runEnded) break
  } finally {
    cancelTimer()
    stop.abort()
  }
  return channel.read(toolCallId)
}
