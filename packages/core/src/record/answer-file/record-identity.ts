import type { QuestionRecord } from '../question-record.ts'
import { questionDigestOf } from './signed-claims.ts'

/** What tells a recorded question from every other one under the same tool call id. */
export interface RecordIdentity {
  nonce: string
  runId: string
  questionDigest: string
}

export const identityOf = (record: QuestionRecord): RecordIdentity => ({
  nonce: record.nonce,
  runId: record.runId,
  questionDigest: questionDigestOf(record),
})

/** Whether a record is the expected one: the same question, asked in the same run. `null` stands for no record. */
export const isExpectedRecord = (record: QuestionRecord | null, expected: RecordIdentity | null): boolean =>
  record === null || expected === null
    ? record === expected
    : record.nonce === expected.nonce &&
      record.runId === expected.runId &&
      questionDigestOf(record) === expected.questionDigest
