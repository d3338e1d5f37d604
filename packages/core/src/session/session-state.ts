import type { Draft } from '../answer/draft.ts'
import type { AskError } from '../lib/errors.ts'
import type { AskedQuestion } from '../question/question.ts'
import type { ToolPart } from '../question/tool-part.ts'
import type { PresentPerson } from '../record/people/presence.ts'
import type { QuestionView } from '../record/view/question-view.ts'
import type { KeptDraft } from './kept-draft.ts'
import type { Intent, PageAnswer } from './page-answer.ts'

/** Everything that a session remembers. Its snapshot is derived from this alone. */
export interface SessionState {
  part: ToolPart
  view?: QuestionView
  /** When `view` came, in milliseconds since 1970 by this page's clock. */
  viewedAt: number
  draft: Draft
  /** Whether the draft has entries that the host has not stored. */
  dirty?: boolean
  /** The newest revision seen from the host. */
  revision: number
  /** The draft of an earlier page, until the host says what it knows. */
  restored?: KeptDraft | undefined
  /** When the answer is sent by itself, and what was shown and picked then. If that changes, it is not sent. */
  countdown?: { endsAt: number; draft: Draft; asked: readonly AskedQuestion[] } | undefined
  /** The answer that the person sent, until the host has it or refuses it. Its responses are the draft. */
  intent?: Intent | undefined
  /** When it is sent again by itself. */
  retryAt?: number | undefined
  /** Who else has the question open, as the host said last. */
  people?: readonly PresentPerson[] | undefined
  /** The answer that the host refused last, until something else is entered. */
  rejected?: Intent | undefined
  /** Whether the draft must be saved next. */
  saveDue?: boolean
  /** What is on its way. */
  inFlight?: PageAnswer | undefined
  stored?: Intent['status'] | undefined
  /** Whether the host took the answer as a vote. `false`: the person changes it. Absent: the view says it. */
  voted?: boolean | undefined
  refused?: 'superseded' | 'expired' | undefined
  reason?: string | undefined
  /** How many requests failed since the last success. An error without a failure means that an answer is incomplete. */
  failures: number
  /** Whether `submit` was called too early, and no answer was sent since. */
  heldBack?: boolean | undefined
  error?: AskError | undefined
}

/** The draft before anything is entered or comes from the host. */
export const NOTHING: Draft = {}

export const initialState = (part: ToolPart): SessionState => ({
  part,
  viewedAt: 0,
  draft: NOTHING,
  revision: 0,
  failures: 0,
})
