// Why it is so: docs/decisions/0057-each-person-has-a-draft.md

import { isFinal } from '../../compat/finality.ts'
import type { AskedQuestion } from '../../question/question.ts'
import { type AnswerFile, responsesOf } from '../answer-file/answer-file.ts'
import { type Author, type AuthoredDraft, authorOf, isSameAuthor } from '../people/author.ts'

/** The most drafts of other people that an answer file keeps, and their longest JSON together. */
const MOST_DRAFTS = 8
const MOST_CHARS = 32_768

/** The drafts of all people, the newest first. */
export function draftsIn(
  answerFile: AnswerFile | undefined,
  questions: readonly AskedQuestion[],
): AuthoredDraft[] {
  if (!answerFile || isFinal(answerFile)) return []
  const { revision = 0, timestamp, otherDrafts = [], votes } = answerFile
  if (votes) return otherDrafts
  const responses = responsesOf(answerFile, questions)
  return [{ ...authorOf(answerFile), responses, revision, timestamp }, ...otherDrafts]
}

/** The drafts that stay beside the next draft of `author`: those of other people. The oldest go first. */
export function otherDraftsFor(
  author: Author,
  answerFile: AnswerFile | undefined,
  questions: readonly AskedQuestion[],
): AuthoredDraft[] {
  let left = MOST_CHARS
  return draftsIn(answerFile, questions)
    .filter((draft) => !isSameAuthor(authorOf(draft), author) && Object.keys(draft.responses).length > 0)
    .slice(0, MOST_DRAFTS)
    .filter((draft) => {
      left -= JSON.stringify(draft).length
      return left >= 0
    })
}
