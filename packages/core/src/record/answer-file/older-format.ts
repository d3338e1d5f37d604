// Why it is so: docs/decisions/0017-an-answer-without-a-status-can-be-replaced.md

import { isObject } from '../../lib/objects.ts'
import { describeOutcome } from '../outcome/outcome-text.ts'
import type { AnswerFile } from './answer-file.ts'

/** Stands for the time of a file that has none. */
const NO_TIME = new Date(0).toISOString()

/**
 * Turns two older files into answer files: the pending file in which an older runner asks, and the refusal that was written
 * for it, see {@link toOlderFormat}. Any other input stays as it is.
 */
export function fromOlderFormat(file: unknown): unknown {
  if (!isObject(file)) return file
  if (file.declined === true) return { ...file, answers: {}, status: 'declined' }
  const isAsking = file.status === 'pending' && file.timestamp === undefined && 'toolName' in file
  // An older runner asks for permission to use a tool by the same file. Then there are no questions.
  return isAsking ? { questions: [], answers: {}, ...file, timestamp: NO_TIME } : file
}

/**
 * What to write for an older runner. It knows no refusal and would wait on. So a refusal is written as the answer to each
 * question, in the words that models read at a refusal.
 */
export function toOlderFormat(answerFile: AnswerFile): AnswerFile & { declined?: true } {
  const { status, nonce, questions, reason } = answerFile
  if (status !== 'declined' || nonce !== undefined) return answerFile
  const words = describeOutcome({
    kind: 'declined',
    questions: [],
    responses: {},
    unanswered: [],
    ...(reason !== undefined && { reason }),
  })
  const answers = Object.fromEntries(questions.map(({ question }) => [question, words]))
  return { ...answerFile, answers, status: 'completed', declined: true }
}
