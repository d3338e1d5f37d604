import type { Clock } from '../lib/clock.ts'
import { AskError } from '../lib/errors.ts'
import { platform } from '../lib/platform.ts'
import { parseJson } from '../lib/schema.ts'
import { isSettled } from '../record/question-record.ts'
import type { QuestionStore, StoredQuestion } from './question-store.ts'
import { readableRecordIn } from './stored-texts.ts'

/** How long a host waits until an answer has reached the sandbox. */
const LONGEST_WAIT_MS = 10_000

/**
 * What a mirror adds to the record of a question whose runner works with files: the revision of the answer file that is in the
 * sandbox. An answer in the store alone reaches nobody.
 */
export interface MirroredText {
  mirror: { delivered: number }
}

/** The revision that has reached the sandbox; `null` for a question whose runner reads the store itself. */
function deliveredRevision({ record }: StoredQuestion): number | null {
  if (!record?.text.includes('"mirror"')) return null
  const { mirror } = parseJson(record.text, 'INVALID_FILE', 'This is no record') as Partial<MirroredText>
  return typeof mirror?.delivered === 'number' ? mirror.delivered : null
}

/**
 * Waits until the stored answer has reached the sandbox.
 *
 * @returns what is stored then; also when the question has ended, or another answer is in its place
 * @throws AskError `UNREACHABLE` when it does not get there in time. It is still stored, and may get there later.
 */
export async function whenDelivered(
  store: Pick<QuestionStore, 'subscribe'>,
  stored: StoredQuestion,
  revision: number,
  clock: Clock,
): Promise<StoredQuestion> {
  const { toolCallId, answer } = stored
  const isOver = (now: StoredQuestion): boolean => {
    const delivered = deliveredRevision(now)
    const record = readableRecordIn(now, () => {})
    const isPlaced = delivered === null || delivered >= revision || now.answer?.text !== answer?.text
    return isPlaced || (record !== null && isSettled(record))
  }
  if (isOver(stored)) return stored
  const stop = new platform.AbortController()
  const cancelTimer = clock.after(LONGEST_WAIT_MS, () => stop.abort())
  try {
    for await (const changed of store.subscribe(stop.signal, { toolCallId }))
      for (const now of changed) if (isOver(now)) return now
  } finally {
    cancelTimer()
    stop.abort()
  }
  const message = 'This answer is stored, but has not reached its sandbox yet. Send it again to learn more.'
  throw new AskError('UNREACHABLE', message, { facts: { toolCallId } })
}
