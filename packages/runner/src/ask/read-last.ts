import { type AnswerFile, AskError, type Clock, type RunnerChannel, sleep } from '@sandagent/core/internal'
import { FIRST_PAUSE_MS, longerPause } from '../lib/back-off.ts'

/** How long files that cannot be read are read again. */
const ALL_PAUSES_MS = 10_000

/**
 * What is stored once the question is closing. The host stores an answer and then reads the record. So an answer that the
 * host acknowledged while the question was open is found here, and the agent gets it. The host waits for the receipt of
 * every answer that it stored later.
 *
 * Files that cannot be read for a moment may hold that answer, so they are read again for a while.
 */
export async function readLast(
  channel: RunnerChannel,
  toolCallId: string,
  { clock, onUnreadable }: { clock: Clock; onUnreadable: (error: AskError) => void },
): Promise<AnswerFile | null> {
  let pausedMs = 0
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = longerPause(pauseMs)) {
    try {
      return await channel.read(toolCallId)
    } catch (error) {
      if (!(error instanceof AskError)) throw error
      onUnreadable(error)
      if (pausedMs >= ALL_PAUSES_MS) return null
      await sleep(clock, pauseMs)
      pausedMs += pauseMs
    }
  }
}
