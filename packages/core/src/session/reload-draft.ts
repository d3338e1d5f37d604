// Why it is so: docs/decisions/0036-drafts-survive-a-reload.md

import { type Draft, sameAnswers } from '../answer/draft.ts'
import { readResponses } from '../answer/read-responses.ts'
import { isObject, pick } from '../lib/objects.ts'
import type { QuestionView } from '../record/view/question-view.ts'
import type { Intent } from './page-answer.ts'

/** Keeps the entries for one call so that a reload finds them again. */
export interface DraftKeeper {
  /** What was written last, by any page. `undefined` or `null` means nothing. */
  read(): unknown
  /** Replaces what was written before. `null` removes it. */
  write(kept: KeptDraft | null): void
}

/** A draft that a page keeps for the next one. */
export interface KeptDraft {
  /** The questions of the message, as JSON. The draft counts only for these. */
  asked: string
  /** When they were asked, ISO 8601, if the host had said so. The same id may be asked again. */
  askedAt?: string | undefined
  draft: Draft
  /** The newest revision that the page had seen. */
  revision: number
  /** Whether the draft has entries that the host did not confirm. */
  dirty: boolean
  /** What was on its way to the host. If the host has it, it is not somebody else's. */
  sent: Draft
  /** The answer that the person sent, if the host did not confirm it. It is sent again. */
  intent?: Intent | undefined
}

/** Parses what a {@link DraftKeeper} kept. `null` if it is not a draft for these questions. */
export function readKept(value: unknown, asked: string): KeptDraft | null {
  if (!isObject(value) || value.asked !== asked) return null
  const { askedAt, dirty, sent, intent } = value as Partial<KeptDraft>
  return {
    asked,
    askedAt,
    draft: readResponses(value.draft),
    revision: 0,
    ...pick(value, 'number', ['revision']),
    dirty: dirty === true,
    sent: readResponses(sent),
    intent: readIntent(intent),
  }
}

function readIntent(value: unknown): Intent | undefined {
  if (!isObject(value) || (value.status !== 'completed' && value.status !== 'declined')) return undefined
  return {
    status: value.status,
    ...pick(value, 'string', ['reason', 'scope', 'questionDigest', 'askedAt']),
    ...pick(value, 'boolean', ['asksBack']),
  }
}

/** Whether the call was asked again since then. The kept draft does not count for it. */
export const isAskedAgain = (kept: KeptDraft, { askedAt }: QuestionView): boolean =>
  kept.askedAt !== undefined && kept.askedAt !== askedAt

/** Whether the host has a newer draft of somebody else. */
export const isOutdated = (kept: KeptDraft, { questions, revision, responses }: QuestionView): boolean =>
  revision > kept.revision && !sameAnswers(questions, responses, kept.sent)
