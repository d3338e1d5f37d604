import { AskError } from '../../lib/errors.ts'
import type { AnswerFile } from './answer-file.ts'

/** The error for an answer that comes after another one. */
export function answerConflict(first: AnswerFile | null | undefined): AskError {
  const { answeredBy, timestamp, status } = first ?? {}
  const facts = { answeredBy, ...(first && { timestamp, status }) }
  return new AskError('CONFLICT', 'Another answer came first', { facts })
}
