import { isObject } from '../lib/objects.ts'
import type { AnswerFile } from './answer-file.ts'
import { describeOutcome } from './outcome-text.ts'

/** When a file without a time was written, as far as deadlines go: before everything else. */
const NO_TIME = new Date(0).toISOString()

/**
 * Reads the two files that are no answer files in the form of the SandAgent document, and otherwise gives back its input:
 * the pending file in which an older runner asks, and the refusal that was written for one, see {@link toOlderFormat}.
 */
export function fromOlderFormat(file: unknown): unknown {
  if (!isObject(file)) return file
  if (file.declined === true) return { ...file, answers: {}, status: 'declined' }
  const isAsking = file.status === 'pending' && file.timestamp === undefined && 'toolName' in file
  // It asks for permission to use any tool by the same file, and then has no questions.
  return isAsking ? { questions: [], answers: {}, ...file, timestamp: NO_TIME } : file
}

/**
 * What to write where an older runner asks. It knows no refusal and would wait on, so a refusal is written as the answer
 * to each of its questions, in the words that models get of one.
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
