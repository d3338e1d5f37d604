// Why it is so: docs/decisions/0017-an-answer-without-a-status-can-be-replaced.md

import type { AnswerStatus } from '../answer/answer-status.ts'
import { isObject } from '../lib/objects.ts'
import type { Question } from '../question/question.ts'

/** Stands for the time of a file that has none. */
const NO_TIME = new Date(0).toISOString()

/**
 * The fields of a stored answer, as they are read today. Two older files are others: the pending file in which an older runner
 * asks, and the refusal that was written for it, see {@link storedFormOf}. Any other input stays as it is.
 */
export function readStoredForm(file: unknown): unknown {
  if (!isObject(file)) return file
  if (file.declined === true) return { ...file, answers: {}, status: 'declined' }
  const isAsking = file.status === 'pending' && file.timestamp === undefined && 'toolName' in file
  // An older runner asks for permission to use a tool by the same file. Then there are no questions.
  return isAsking ? { questions: [], answers: {}, ...file, timestamp: NO_TIME } : file
}

/** The part of an answer file that has another form for older readers. */
interface StoredAnswer {
  questions: readonly Question[]
  answers: Readonly<Record<string, string>>
  status: AnswerStatus
  timestamp: string
  nonce?: string
}

/**
 * How an answer is stored. Older readers find their four keys first. An older runner, whose questions have no nonce, knows no
 * refusal and would wait on. So a refusal is written for it as the answer to each question.
 *
 * @param refusal what models read at a refusal
 */
export function storedFormOf(answer: StoredAnswer, refusal: () => string): object {
  const { questions, answers, status, timestamp, ...rest } = answer
  if (status !== 'declined' || answer.nonce !== undefined)
    return { questions, answers, status, timestamp, ...rest }
  const words = refusal()
  const inWords = Object.fromEntries(questions.map(({ question }) => [question, words]))
  return { questions, answers: inWords, status: 'completed', timestamp, ...rest, declined: true }
}
