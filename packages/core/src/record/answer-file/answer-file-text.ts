import { storedFormOf } from '../../compat/stored-form.ts'
import { describeOutcome, type OutcomeFacts } from '../outcome/outcome-text.ts'
import type { AnswerFile } from './answer-file.ts'

/** The text of an answer file, see `parseAnswerFile`. */
export function answerFileText(answerFile: AnswerFile): string {
  const { reason } = answerFile
  const refusal: OutcomeFacts = { kind: 'declined', questions: [], responses: {}, unanswered: [], reason }
  return JSON.stringify(
    storedFormOf(answerFile, () => describeOutcome(refusal)),
    null,
    2,
  )
}
