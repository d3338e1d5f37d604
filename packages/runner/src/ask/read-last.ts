import {
  type AnswerFile,
  AskError,
  backOffMs,
  type Clock,
  type RunnerChannel,
  sleep,
} from '@sandagent/core/internal'

/** How long reading is tried again, at least. */
const ALL_PAUSES_MS = 10_000

/**
 * Reads the answer file once the question is closing. The host stores an answer before it reads the record. So every
 * answer that the host acknowledged for the open question is found here. An unreadable file is tried again for a while.
 */
export async function readLast(
  channel: RunnerChannel,
  toolCallId: string,
  { clock, onUnreadable }: { clock: Clock; onUnreadable: (error: AskError) => void },
): Promise<AnswerFile | null> {
  let pausedMs = 0
  for (let failures = 1; ; failures++) {
    try {
      return await channel.read(toolCallId)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      onUnreadable(error)
      if (pausedMs >= ALL_PAUSES_MS) return null
      await sleep(clock, backOffMs(failures))
      pausedMs += backOffMs(failures)
    }
  }
}
