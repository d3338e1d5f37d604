// Why it is so: docs/decisions/0018-a-nonce-binds-an-answer.md

import { digestOf } from '../lib/digest.ts'

/**
 * Names the answers without a nonce that were stored before a question was asked: they answer something else. A record names
 * them from the start, so that none counts after a crash.
 */
export interface ExcludesEarlier {
  passedOver?: string[]
}

/** Stands for an answer that could not be read. Then no answer without a nonce counts. */
const EVERY_ONE = '*'

/** Names the answers that are there before a question is asked. `isUnread`: another one may be there. */
export function earlierAnswers(
  found: readonly { nonce?: string }[],
  { isUnread }: { isUnread?: true },
): ExcludesEarlier {
  const digests = found.filter(({ nonce }) => nonce === undefined).map(digestOf)
  return { passedOver: isUnread ? [...digests, EVERY_ONE] : digests }
}

/** The record, which also excludes what another one excludes; the same record if it does so already. */
export function excluding<R extends ExcludesEarlier>(record: R, other: ExcludesEarlier | null): R {
  const known = record.passedOver ?? []
  const passedOver = [...new Set([...known, ...(other?.passedOver ?? [])])]
  // Not a spread: V8 would give each record a hidden class of its own, and thousands may wait.
  return passedOver.length > known.length ? Object.assign({}, record, { passedOver }) : record
}

/** Whether an answer without a nonce was there before the question was asked. */
export const isEarlier = (answerFile: object, { passedOver = [] }: ExcludesEarlier): boolean =>
  passedOver.some((each) => each === EVERY_ONE || each === digestOf(answerFile))
