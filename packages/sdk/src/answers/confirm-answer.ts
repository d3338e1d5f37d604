import {
  type AnswerFile,
  AskError,
  authorOf,
  type Clock,
  type HostChannel,
  type QuestionState,
  viewOf,
} from '@sandagent/core/internal'
import { gone, hasTaken, isEnded, isSameRecord } from './check-answer.ts'

/** How long a host waits for the receipt of a closing question. */
const LONGEST_WAIT_MS = 10_000

/**
 * Finds out whether an answer that was just stored came in time. The runner of an open question looks for answers once
 * more before the question ends, so it will find this one. The runner of a closing question may have looked before. Then
 * only the receipt tells.
 *
 * @throws AskError `GONE` when the question ended without this answer; `UNREACHABLE` when no receipt comes. The answer is
 *   stored then, and the client learns more by sending it again.
 */
export async function confirmAnswer(
  channel: HostChannel,
  answerFile: AnswerFile,
  before: QuestionState,
  clock: Clock,
): Promise<void> {
  const viewer = authorOf(answerFile)
  const state = await channel.read(before.toolCallId)
  if (before.record && !state.record)
    throw new AskError('UNREACHABLE', 'The question went away while its answer was stored')
  if (!isSameRecord(before.record, state.record)) return
  const { record, runEnded } = await whenClosed(channel, state, clock)
  if (isEnded(record)) {
    if (!hasTaken(record, answerFile)) throw gone(viewOf({ ...state, record }, clock.now(), viewer))
  } else if (record?.state === 'closing' && !runEnded) {
    const message =
      'This answer is stored, but the run that asks has not taken it up yet. Send it again to learn more.'
    throw new AskError('UNREACHABLE', message, { facts: { question: viewOf(state, clock.now(), viewer) } })
  }
}

/** The state of a question when it is no longer closing, when its run has ended, or when the time is up. */
async function whenClosed(channel: HostChannel, state: QuestionState, clock: Clock): Promise<QuestionState> {
  const { toolCallId, record } = state
  if (record?.state !== 'closing') return state
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
