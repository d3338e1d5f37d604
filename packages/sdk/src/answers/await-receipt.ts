import {
  type AnswerFile,
  AskError,
  type Clock,
  type HostChannel,
  isAccountedFor,
  isFinal,
  isSettled,
  mayChange,
  type QuestionRecord,
  type QuestionState,
  type SettledRecord,
  viewOf,
} from '@sandagent/core/internal'

/** How long a host waits for the receipt of a question that is closing: long for a slow disk, short for a person. */
const LONGEST_WAIT_MS = 10_000

/** Whether the question has ended, and not with the answer that is stored, if one is. */
export const hasEndedWithout = ({ record, answerFile }: QuestionState): boolean =>
  isEnded(record) && !(answerFile && isFinal(answerFile) && hasTaken(record, answerFile))

/**
 * Finds out whether an answer that was just stored came in time. The runner of an open question looks for an answer once
 * more before the question ends, so it will find this one. The runner of a closing question may have looked already:
 * only the receipt tells.
 *
 * @throws AskError `GONE` when the question ended without this answer; `UNREACHABLE` when the receipt does not come: the
 *   answer is stored, and sending it again tells what became of it.
 */
export async function awaitReceipt(
  channel: HostChannel,
  answerFile: AnswerFile,
  state: QuestionState,
  clock: Clock,
): Promise<void> {
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

const isEnded = (record: QuestionRecord | undefined): record is SettledRecord =>
  record !== undefined && isSettled(record)

/** Whether what the agent got is this answer or, of one that could be replaced, what was entered after it. */
function hasTaken(record: SettledRecord, answerFile: AnswerFile): boolean {
  if (record.state === 'timed-out' || record.state === 'aborted') return false
  const isLater = mayChange(answerFile) && (record.revision ?? 0) > (answerFile.revision ?? 0)
  const isSame = mayChange(answerFile) || record.revision === answerFile.revision
  return isLater || (isSame && isAccountedFor(record, answerFile))
}

export const gone = (state: QuestionState, now: number): AskError =>
  new AskError('GONE', 'This question ended without this answer', { facts: { question: viewOf(state, now) } })
