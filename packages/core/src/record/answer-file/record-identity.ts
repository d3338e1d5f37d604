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

/**
 * Whether a record is the expected one. `null` and `undefined` stand for no record. A part of the identity that is not given
 * counts as equal: a page knows what it has shown, and no nonce.
 */
export function isSameRecord(
  record: QuestionRecord | null | undefined,
  expected: { readonly [name in keyof RecordIdentity | 'askedAt']?: string | undefined } | null | undefined,
): boolean {
  if (!record || !expected) return !record && !expected
  const { questionDigest = questionDigestOf(record), ...others } = expected
  const { nonce = record.nonce, runId = record.runId, askedAt = record.askedAt } = others
  return (
    nonce === record.nonce &&
    runId === record.runId &&
    askedAt === record.askedAt &&
    questionDigest === questionDigestOf(record)
  )
}
