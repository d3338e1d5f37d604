// Why it is so: docs/decisions/0096-asking-back-ends-the-call.md

import { canonicalJson } from '../lib/digest.ts'
import type { AnswerFile } from './answer-file/answer-file.ts'
import type { QuestionRecord } from './question-record.ts'

/** What a person asked back about an earlier call, as the host stored it, and what the agent said then. */
export interface AskedBack extends Pick<AnswerFile, 'answeredBy' | 'browser'> {
  question: string
  reply?: string
}

/** The most calls of one thread that are looked at. */
const MOST_CALLS = 20

/** What tells which calls may follow one another. */
type Call = Pick<QuestionRecord, 'toolCallId' | 'runId' | 'kind' | 'toolName' | 'asker'>

/** Whether a call may be the next one after another: both are of one run and one asker, and use the same tool. */
export const mayFollow = (next: Call, before: Call): boolean =>
  next.toolCallId !== before.toolCallId && sourceOf(next) === sourceOf(before)

const sourceOf = ({ runId, kind, toolName, asker }: Call): string =>
  canonicalJson({ runId, kind, toolName, asker })

/**
 * What people asked back before this call, the oldest first. The agent writes `follows`. So it is believed only as far as the
 * host has stored that somebody asked back about that call; the reply is the agent's own word.
 *
 * @param read what the host has of another call
 */
export async function threadOf(
  record: QuestionRecord,
  read: (toolCallId: string) => Promise<{ record: QuestionRecord | null; answerFile: AnswerFile | null }>,
): Promise<AskedBack[]> {
  const thread: AskedBack[] = []
  const seen = new Set([record.toolCallId])
  for (let call = record; call.follows && seen.size <= MOST_CALLS; ) {
    const { toolCallId, reply } = call.follows
    if (seen.has(toolCallId)) break // The agent has made a circle.
    seen.add(toolCallId)
    const before = await read(toolCallId)
    if (!before.record || !mayFollow(call, before.record) || !before.answerFile?.asksBack) break
    const { reason = '', answeredBy, browser } = before.answerFile
    thread.unshift({
      question: reason,
      ...(answeredBy !== undefined && { answeredBy }),
      ...(browser !== undefined && { browser }),
      ...(reply !== undefined && { reply }),
    })
    call = before.record
  }
  return thread
}
