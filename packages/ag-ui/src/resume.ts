import type { ResumeEntry } from '@ag-ui/core'
import { parseAnswer } from '@sandagent/core/dialects/ag-ui'
import { type AnswerRequest, AskError } from '@sandagent/core/internal'
import { type InnerRequests, Refusal } from './inner-requests.ts'
import { isFor, placeIn } from './interrupt-id.ts'

/** What `resume` says. */
export interface Resumed {
  answers: AnswerRequest[]
  /** How many chunks of the reply the client has. */
  told: number
  /** The calls that it answers. */
  answered: string[]
}

/** How many interrupts one run can wait for. */
const MOST_ENTRIES = 100

/**
 * Reads the entries of `resume`, and stores nothing.
 *
 * @throws AskError `NOT_FOUND` for interrupts that this thread has not, or that ask something else by now, `TOO_LARGE`,
 *   `INVALID_ANSWERS`; and what the host refuses
 */
export async function readResume(
  inner: InnerRequests,
  threadId: string,
  resume: readonly ResumeEntry[],
): Promise<Resumed> {
  if (resume.length > MOST_ENTRIES)
    throw new AskError('TOO_LARGE', `Send at most ${MOST_ENTRIES} entries of \`resume\` at once`)
  const read: Resumed = { answers: [], told: 0, answered: [] }
  for (const entry of resume) {
    const place = placeIn(entry.interruptId)
    if (!place) throw unknownInterrupt(entry)
    const view = await inner.question(place.toolCallId)
    if (!isFor(place, threadId, view)) throw unknownInterrupt(entry)
    const { toolCallId, questions, kind, questionDigest, askedAt } = view
    read.told = Math.max(read.told, place.told)
    read.answered.push(toolCallId)
    read.answers.push({
      toolCallId,
      ...parseAnswer(questions, entry, { kind }),
      ...(questionDigest !== undefined && { questionDigest }),
      ...(askedAt !== undefined && { askedAt }),
    })
  }
  return read
}

/** Stores the answers. Clients decline what has ended, to go on. */
export async function storeAnswers(inner: InnerRequests, answers: readonly AnswerRequest[]): Promise<void> {
  for (const answer of answers)
    await inner.answer(answer).catch((error: unknown) => {
      const hasEnded = error instanceof Refusal && [409, 410].includes(error.response.status)
      if (!hasEnded || answer.status !== 'declined') throw error
    })
}

const unknownInterrupt = ({ interruptId }: ResumeEntry): AskError =>
  new AskError(
    'NOT_FOUND',
    'This thread waits for no such interrupt. Send the request without `resume` to see what it waits for',
    { facts: { interruptId } },
  )
