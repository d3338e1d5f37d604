import type { Draft } from '../answer/draft.ts'
import type { AskError } from '../lib/errors.ts'
import type { ToolPart } from '../question/tool-part.ts'
import type { PresentPerson, QuestionView } from '../record/view/question-view.ts'
import type { Intent, PageAnswer } from './page-answer.ts'
import type { KeptDraft } from './reload-draft.ts'

/** What a session is told. It changes none of it. */
interface SessionInputs {
  /** What the message says. */
  part: ToolPart
  /** What the host said last. */
  view?: QuestionView
  /** When it said so, in milliseconds since 1970 by this page's clock. */
  viewedAt: number
  /** Why the host did not show the question, when it was asked last. */
  refusal?: AskError
  /** Who else has the question open, as the host said last. */
  people?: readonly PresentPerson[] | undefined
}

/** Lets everybody ask a state for what only some of its kinds have. */
type Askable<T> = T extends unknown ? T & { [K in Exclude<Asked, keyof T>]?: undefined } : never
type Asked = 'error' | 'fault' | 'intent' | 'kept' | 'retryAt'

/** Whether the host has what was entered. */
type DraftState = Askable<
  /**
   * `clean`: it has. `dirty`: it has not, and the answer or the next entry takes everything along. `kept`: an earlier page
   * kept the entries, and the host has not said yet what it knows.
   */
  | { kind: 'clean' | 'dirty'; kept?: KeptDraft }
  /** It is saved next, or on its way. */
  | { kind: 'saving' }
  /** It could not be saved, and is saved again. */
  | { kind: 'failed'; error: AskError }
>

/** Where the answer of this page stands. */
export type AnswerState = Askable<
  | { kind: 'none' }
  /** It was submitted too early. The fault goes with the next entry, and what is missing stays marked. */
  | { kind: 'incomplete'; fault?: AskError }
  /** It is sent by itself. If what is shown or entered changes until then, it is not. */
  | { kind: 'countdown'; endsAt: number; entries: Draft; asked: string }
  /** The person sent it. Its responses are the entries. */
  | { kind: 'sending'; intent: Intent }
  /** It could not be sent yet. `retryAt`: when it is sent again by itself. */
  | { kind: 'retrying'; intent: Intent; error: AskError; retryAt?: number }
  /** The host refused it, and the person may change it. */
  | { kind: 'rejected'; refused: Intent; error: AskError }
  /** The host took it as a vote. */
  | { kind: 'voted' }
  /** The host has it. */
  | { kind: 'stored'; request: PageAnswer }
  /** Another answer came first, or the time was over. */
  | { kind: 'superseded' | 'expired'; error: AskError }
>

/** What a session remembers. */
export interface SessionState {
  entries: Draft
  /** The newest revision seen from the host. */
  revision: number
  draft: DraftState
  answer: AnswerState
  /** What is on its way: a draft also while the answer waits for it, an answer also after it was taken back. */
  request?: PageAnswer | undefined
}

/** Everything that a snapshot is derived from. */
export type Session = SessionInputs & SessionState

/** The entries before anything is entered or comes from the host. */
export const NOTHING: Draft = {}

export const NO_ANSWER: AnswerState = { kind: 'none' }

export const initialState = (part: ToolPart): Session => ({
  part,
  viewedAt: 0,
  revision: 0,
  entries: NOTHING,
  draft: { kind: 'clean' },
  answer: NO_ANSWER,
})

/** Whether no draft waits to be saved. */
export const isSaved = ({ draft: { kind } }: SessionState): boolean => kind === 'clean' || kind === 'dirty'

/** Why the last request failed. */
export const errorOf = ({ answer, draft }: SessionState): AskError | undefined => draft.error ?? answer.error
