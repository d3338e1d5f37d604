// When a process that asks may take over a question that is there already.

import { canonicalJson, sameJson } from '../lib/digest.ts'
import { AskError } from '../lib/errors.ts'
import { sameQuestions } from '../question/question.ts'
import { hasSecret, withoutKeys } from '../question/secret-question.ts'
import { isSettled, type QuestionRecord, type UnsettledRecord } from '../record/question-record.ts'

/**
 * Whether two records ask the same under the same tool call id: then one may be adopted for the other, see
 * {@link isReadableFor}.
 */
export const isSameQuestion = (a: QuestionRecord, b: QuestionRecord): boolean => askedIn(a) === askedIn(b)

const askedIn = ({ toolCallId, kind, questions, subject }: QuestionRecord): string =>
  canonicalJson({ toolCallId, kind, questions: withoutKeys(questions), subject })

/** Whether a record can be adopted for another: an open one with secrets needs the same keys. */
export const isReadableFor = (asked: QuestionRecord, found: QuestionRecord): boolean =>
  isSettled(found) || !hasSecret(asked.questions) || sameQuestions(found.questions, asked.questions)

/**
 * An existing record, for the process that adopts it; the same one if nothing changes.
 *
 * @throws AskError `INVALID_REQUEST` if the question demands passkeys, and the process checks none
 */
export function adoptedBy(
  found: UnsettledRecord,
  { runId, process, place, publicKeyIds, passkeys }: QuestionRecord,
): UnsettledRecord {
  const { publicKeyIds: _, passkeys: demanded, left: __, ...asked } = found
  if (demanded && !passkeys)
    throw new AskError(
      'INVALID_REQUEST',
      'This question was asked with a demand for passkeys, and this run checks none. Start it as before, such as with --policy and --inbox',
    )
  const facts = {
    ...(process !== undefined && { process }),
    ...(place !== undefined && { place }),
    ...(publicKeyIds && { publicKeyIds }),
    ...(passkeys && { passkeys: { ...passkeys, runId: demanded?.runId ?? passkeys.runId } }),
  }
  const adopted = { ...asked, runId, ...facts }
  return sameJson(adopted, found) ? found : adopted
}
