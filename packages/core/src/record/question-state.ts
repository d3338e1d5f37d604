import type { AnswerFile } from './answer-file/answer-file.ts'
import type { AskedBack } from './asking-back.ts'
import type { QuestionRecord } from './question-record.ts'

/** What the host knows of one question. */
export interface QuestionState {
  toolCallId: string
  /** Absent when a third-party runner asked, which records nothing. */
  record?: QuestionRecord
  /** Never one that was given to an earlier question under the same id, see `isMeantFor`. */
  answerFile?: AnswerFile
  /** What people asked back before this call, see `threadOf`. */
  thread?: AskedBack[]
  /** An answer is stored that does not count, see `QuestionView`. */
  ignored?: true
  /** The answer file is final, and could not be put where all runners find it. The next look tries again. */
  unpublished?: true
  /** Whether the run that asks has left the question open and is gone; see `QuestionView`. */
  runEnded?: true
  /**
   * The question may be there although nothing was read: there is no place for questions. Nobody has asked there yet, or what
   * was asked is out of reach.
   */
  isUnread?: true
}
