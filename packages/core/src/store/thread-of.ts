// Why it is so: docs/decisions/0096-asking-back-ends-the-call.md

import type { AnswerFile } from '../record/answer-file/answer-file.ts'
import { type AskedBack, mayFollow } from '../record/asking-back.ts'
import type { QuestionRecord } from '../record/question-record.ts'
import type { StoredQuestion } from './question-store.ts'
import { readableRecordIn } from './stored-texts.ts'

/** The most calls of one thread that are looked at. */
const MOST_CALLS = 20

/**
 * What people asked back before this call, the oldest first. The agent writes `follows`. So it is believed only as far as the
 * host has stored that somebody asked back about that call; the reply is the agent's own word.
 *
 * @param read what is stored of another call
 * @param counted the answer that counts of it
 */
export async function threadOf(
  record: QuestionRecord,
  read: (toolCallId: string) => Promise<StoredQuestion>,
  counted: (stored: StoredQuestion, record: QuestionRecord) => Promise<AnswerFile | null>,
): Promise<AskedBack[]> {
  const thread: AskedBack[] = []
  const seen = new Set([record.toolCallId])
  for (let call = record; call.follows && seen.size <= MOST_CALLS; ) {
    const { toolCallId, reply } = call.follows
    if (seen.has(toolCallId)) break // The agent has made a circle.
    seen.add(toolCallId)
    const stored = await read(toolCallId)
    const before = readableRecordIn(stored, () => {}) // Told when it is read itself.
    const answerFile = before && mayFollow(call, before) ? await counted(stored, before) : null
    if (!before || !answerFile?.asksBack) break
    const { reason = '', answeredBy, browser } = answerFile
    thread.unshift({
      question: reason,
      ...(answeredBy !== undefined && { answeredBy }),
      ...(browser !== undefined && { browser }),
      ...(reply !== undefined && { reply }),
    })
    call = before
  }
  return thread
}
