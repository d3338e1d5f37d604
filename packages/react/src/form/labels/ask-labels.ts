import type { AskError, NumberRange } from '@sandagent/core/internal'

/** Every text of the form. Times come as `Date`, so that each language writes them its own way. */
export interface AskLabels {
  /** The title while the question waits, and afterwards. */
  asks: string
  asked: string
  /** Beside the title, where an agent below the main one asks. */
  subagent(name: string | undefined): string
  /** Names a part of the form, and what tells it from the others like it: the question, or the option of a preview. */
  about(part: string, which: string): string
  questions(count: number): string
  questionOf(number: number, total: number): string
  hide: string
  show: string

  pickOne: string
  /** Where picking also sends. */
  pickOneToSend: string
  pickAny: string
  optional: string
  /** Of a question that takes a number. */
  number(range: NumberRange): string
  filter: string
  filtered(found: number, total: number): string
  ownAnswer: string
  answer: string
  /** Beside typed words that an option has taken the place of. */
  keptText: string
  addNote: string
  preview: string

  next: string
  back: string
  skip: string
  review: string
  change: string
  send: string
  sendPartial: string
  decline: string
  tryAgain: string

  reviewTitle: string
  missing: string
  missingCount(count: number): string
  answered: string
  skipped: string
  noAnswer: string
  /** Beside an answer that the asker had set for when the time runs out. */
  byDefault: string
  note: string
  /** Of a question that is closed: what was entered on this page and is not what counts. */
  unsent: string

  declineTitle(hasEntries: boolean): string
  declineReason: string
  /** Above the reason that was given. */
  reason: string
  keepAnswering: string

  /** The keyboard shortcuts: keys, then what they do. */
  shortcuts: Record<
    'pick' | 'move' | 'go' | 'goFromMany' | 'send' | 'sendFromMany' | 'line' | 'note' | 'escape' | 'stay',
    readonly [keys: string, meaning: string]
  >

  streaming: string
  waiting: string
  saving: string
  saved(answered: number, total: number): string
  waitsUntil(at: Date): string
  /** In its place, beside the seconds that are left. */
  lastMinute: string
  /** The time is up, and the agent has not gone on yet. */
  timeUp: string
  sending: string
  sent: string
  sentRefusal: string
  received: string
  /** The same, of a draft: the time ran out before it was sent. */
  tookDraft: string
  declined: string
  timedOut: string
  aborted: string
  /** It ended without an answer, and nobody told why. */
  expired: string
  superseded(by: string | undefined): string
  failed(isDraft: boolean): string
  /** The run that asks is gone, before and after the answer. */
  runEnded: string
  runEndedSent: string
  /** Who answered, when the host tells, and when. */
  by(name: string | undefined, at: Date | undefined): string
  /** What went wrong, and what of it matters to the person. */
  problem(error: AskError): string
}
