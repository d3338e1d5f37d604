import type { AnswerStatus } from '../answer/answer-status.ts'
import { type Draft, submittedResponses } from '../answer/draft.ts'
import { readResponses } from '../answer/read-responses.ts'
import { isObject } from '../lib/objects.ts'
import type { AskedQuestion } from '../question/question.ts'
import type { QuestionView } from '../record/question-view.ts'

/** Keeps what was entered for one question where a reload finds it again. */
export interface DraftKeeper {
  /** What was written last, whoever wrote it; `undefined` or `null` for nothing. */
  read(): unknown
  /** Takes the place of what was written before; `null` forgets it. */
  write(kept: KeptDraft | null): void
}

/** A draft as a page leaves it for the next one. */
export interface KeptDraft {
  /** The questions as the message asks them, as JSON: a draft counts for no others. */
  asked: string
  /** When they were asked, ISO 8601, where the host had told: under the same id they may be asked again. */
  askedAt?: string | undefined
  draft: Draft
  /** The newest revision that the page had seen. */
  revision: number
  /** Whether the draft holds entries that the host had not confirmed. */
  dirty: boolean
  /** What was on its way to the host: found there, it is no news. */
  sent: Draft
}

/** Reads what {@link DraftKeeper} has kept, `null` unless it is a draft for these questions. */
export function readKept(value: unknown, asked: string): KeptDraft | null {
  if (!isObject(value) || value.asked !== asked) return null
  const { askedAt, revision, dirty, sent } = value as Partial<KeptDraft>
  return {
    asked,
    askedAt,
    draft: readResponses(value.draft),
    revision: Number(revision) || 0,
    dirty: dirty === true,
    sent: readResponses(sent),
  }
}

/** Whether the same was asked anew since: nothing of what was kept is meant for it. */
export const isAskedAnew = (kept: KeptDraft, { askedAt }: QuestionView): boolean =>
  kept.askedAt !== undefined && kept.askedAt !== askedAt

/** Whether the host has a newer draft than what was kept, of somebody else. */
export const isOutdated = (kept: KeptDraft, { questions, revision, responses }: QuestionView): boolean =>
  revision > kept.revision && !sameAnswers(questions, responses, kept.sent)

/** Whether an answer that was sent is the one that the host has. */
export const isStored = (
  { status, responses }: { status: AnswerStatus; responses: Draft },
  view: QuestionView,
): boolean =>
  (status === 'declined') === view.declined && sameAnswers(view.questions, responses, view.responses)

/** Whether two drafts would be submitted as the same answer. */
const sameAnswers = (questions: readonly AskedQuestion[], a: Draft, b: Draft): boolean =>
  JSON.stringify(submittedResponses(questions, a)) === JSON.stringify(submittedResponses(questions, b))
