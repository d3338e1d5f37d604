import type { StoredQuestion, StoredText } from '@sandagent/core/store'
import { textOf } from '../lib/storage-key.ts'
import type { Database } from './database.ts'

/** The texts of a question, as statements select them. */
export interface TextColumns {
  record: string | null
  record_version: string | null
  answer: string | null
  answer_version: string | null
}

export const TEXT_COLUMNS = 'q.record, q.version AS record_version, a.answer, a.version AS answer_version'

export const storedQuestion = (toolCallId: string, row: TextColumns): StoredQuestion => ({
  toolCallId,
  record: textIn(row.record, row.record_version),
  answer: textIn(row.answer, row.answer_version),
})

export const textIn = (text: string | null, version: string | null): StoredText | null =>
  text === null || version === null ? null : { text, version }

/** A question with the id in its row, as a list. Any role that may write can write an id that is none: that is a warning. */
export function storedIn(row: TextColumns & { tool_call_id: string }, database: Database): StoredQuestion[] {
  try {
    return [storedQuestion(textOf(row.tool_call_id), row)]
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    database.onWarning({
      code: 'INVALID_FILE',
      message: 'A question is left out: its tool call id is malformed. Look which role writes such rows',
    })
    return []
  }
}
