import {
  type AnswerFile,
  AskError,
  type Clock,
  type HostChannel,
  type QuestionState,
  viewOf,
} from '@sandagent/core/internal'
import { gone, hasTaken, isEnded, isSameRecord } from './check-answer.ts'

/** How long a host waits for the receipt of a question that is closing: long for a slow disk, short for a person. */
const LONGEST_WAIT_MS = 10_000

/**
 * Finds out whether an answer that was just stored came in time. Its question may have ended since it was read, so it is read
 * once more. The runner of an open question looks for an answer once more before the question ends, so it will find this
 * one. The runner of a closing question may have looked already: then only the receipt tells.
 *
 * @param before the question as it was when the answer was checked
 * @throws AskError `GONE` when the question ended without this answer; `UNREACHABLE` when the receipt does not come: the
 *   answer is stored, and sending it again tells what became of it.
 */
export async function confirmAnswer(
  channel: HostChannel,
  answerFile: AnswerFile,
  before: QuestionState,
  clock: Clock,
): Promise<void> {
  const state = await channel.read(before.toolCallId)
  if (before.record && !state.record)
    throw new AskError('UNREACHABLE', 'The question went away while its answer was stored')
  if (!isSameRecord(before.record, state.record)) return
  const { record, runEnded } = await whenClosed(channel, state, clock)
  if (isEnded(record)) {
    if (!hasTaken(record, answerFile)) throw gone({ ...state, record }, clock.now())
  } else if (record?.state === 'closing' && !runEnded) {
    const message =
      'This answer is stored, but the run that asks has not taken it up yet. Send it again to learn more.'
    throw new AskError('UNREACHABLE', message, { facts: { question: viewOf(state, clock.now()) } })
  }
}

/** The state of a question once it is no longer closing, its run is gone, or the time is up. */
async function whenClosed(channel: HostChannel, state: QuestionState, clock: Clock): Promise<QuestionState> {
  const { toolCallId, record } = state
  if (record?.state !== 'closing') return state
  const stop = new AbortController()
  const cancelTimer = clock.after(LONGEST_WAIT_MS, () => stop.abort())
  try {
    // A run that ended may have written its receipt just before.
    for await (const next of channel.subscribe(stop.signal, toolCallId))
      if (next.record?.state !== 'closing' || next.runEnded) break
  } finally {
    cancelTimer()
    stop.abort()
  }
  return channel.read(toolCallId)
}
