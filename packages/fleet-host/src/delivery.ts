import { AskError, type Clock, isSettled, parseAnswerFile, parseJson } from '@sandagent/core/internal'
import { type HostQuestions, readableRecordIn, type StoredQuestion } from '@sandagent/core/store'

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

/** The questions of a fleet, whose answers count as stored once they have reached the sandbox. */
export function deliveredQuestions(store: HostQuestions, clock: Clock): HostQuestions {
  const revisionIn = ({ toolCallId, answer }: StoredQuestion): number | undefined =>
    answer ? parseAnswerFile(answer.text, toolCallId).revision : undefined
  const whenPlaced = async (stored: StoredQuestion): Promise<StoredQuestion> => {
    if (deliveredRevision(stored) === null) return stored
    const revision = revisionIn(stored)
    return revision === undefined ? stored : whenDelivered(store, stored, revision, clock)
  }
  return {
    ...(store.latest && { latest: store.latest.bind(store) }),
    read: (...of) => store.read(...of),
    list: (options) => store.list(options),
    subscribe: (...of) => store.subscribe(...of),
    ...(store.writeFile && { writeFile: store.writeFile.bind(store) }),
    ...(store.readFile && { readFile: store.readFile.bind(store) }),
    async writeAnswer(...of) {
      const stored = await store.writeAnswer(...of)
      return stored && whenPlaced(stored)
    },
    async persist(toolCallId) {
      const [stored] = toolCallId === undefined ? [] : await store.read([toolCallId])
      if (stored) await whenPlaced(stored)
    },
  }
}

/**
 * Waits until the stored answer has reached the sandbox.
 *
 * @returns what is stored then; also when the question has ended, or another answer is in its place
 * @throws AskError `UNREACHABLE` when it does not get there in time. It is still stored, and may get there later.
 */
export async function whenDelivered(
  store: Pick<HostQuestions, 'subscribe'>,
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
  const stop = new AbortController()
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
