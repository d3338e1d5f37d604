import type { QuestionRecord } from '../question-record.ts'
import type { AnswerFile } from './answer-file.ts'

/** The signed content of an answer file; `null` for a file that the host did not write. */
export type Authenticate = (answerFile: AnswerFile, record: QuestionRecord) => Promise<AnswerFile | null>
