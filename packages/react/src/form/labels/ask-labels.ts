import type { AskError, NumberRange, PolicyRule } from '@sandagent/core/internal'

/** Every text of the form. Times are `Date`s, so that each language writes them its own way. */
export interface AskLabels {
  /** The title while the question waits, and afterwards. */
  asks: string
  asked: string
  /** Beside the title, if a subagent asks. */
  subagent(name: string | undefined): string
  /** The name of a part of the form, with the question or option that it belongs to. */
  about(part: string, which: string): string
  questions(count: number): string
  questionOf(number: number, total: number): string
  /** The same in short, in the menu of many questions. */
  place(number: number, total: number): string
  hide: string
  show: string

  pickOne: string
  /** If picking also sends. */
  pickOneToSend: string
  pickAny: string
  optional: string
  /** For a question that takes a number. */
  number(range: NumberRange): string
  filter: string
  filtered(found: number, total: number): string
  ownAnswer: string
  answer: string
  /** Beside typed text that is not sent, because an option is picked. */
  keptText: string
  addNote: string
  preview: string
  /** Beside an option that the agent recommends. */
  recommended: string
  /** Below a long question. */
  showMore: string
  showLess: string
  /** Below a preview in HTML whose styles the page's policy forbids. */
  unstyledPreview: string
  /** Above the source of a preview in HTML, if the page's policy forbids HTML. */
  noHtmlPreview: string
  /** In the place of a form that has failed, above the question. */
  unusable: string

  next: string
  back: string
  skip: string
  review: string
  change: string
  send: string
  sendPartial: string
  decline: string
  tryAgain: string
  /** While an answer that a pick completed waits to be sent: what happens, and the two buttons. */
  sendsSoon: string
  undo: string
  sendNow: string
  /** While an answer is sent again by itself: when that is next, if that is not soon, and the two buttons. */
  nextTry(at: Date): string
  tryNow: string
  stopTrying: string

  reviewTitle: string
  missing: string
  missingCount(count: number): string
  answered: string
  skipped: string
  noAnswer: string
  /** Beside an answer that is the agent's default for a time-out. */
  byDefault: string
  note: string
  /** Above entries of this page that were not sent before the question ended. */
  unsent: string

  /** Copies what was not sent. */
  copy: string
  copied: string

  /** Who may answer, for somebody who may not. */
  onlyMay(rule: PolicyRule): string
  /** How many people must give the same answer, and how many have voted. */
  votes(rule: PolicyRule, given: number): string
  /** The person has voted. */
  voted: string
  hasVoted(name: string): string

  /** A person whose name the host does not know. */
  somebody: string
  /** Other people who have the question open: they enter something now, they do not, or they have left. */
  isAnswering(name: string): string
  hasOpen(name: string): string
  hasEntered(name: string): string
  /** Copies what somebody else has entered into the form. */
  takeOver: string

  declineTitle(hasEntries: boolean): string
  declineReason: string
  /** Above the reason that was given. */
  reason: string
  keepAnswering: string

  /** The keyboard shortcuts: keys, then what they do. */
  shortcuts: Record<
    | 'pick'
    | 'move'
    | 'check'
    | 'steps'
    | 'go'
    | 'goFromMany'
    | 'send'
    | 'sendFromMany'
    | 'find'
    | 'line'
    | 'note'
    | 'escape'
    | 'stay'
    | 'undo',
    readonly [keys: string, meaning: string]
  >

  streaming: string
  waiting: string
  saving: string
  saved(answered: number, total: number): string
  waitsUntil(at: Date): string
  /** In the last minute, beside the seconds that are left. */
  lastMinute: string
  /** The time is up, and the agent has not gone on yet. */
  timeUp: string
  sending: string
  retrying: string
  sent: string
  sentRefusal: string
  received: string
  /** The agent took a draft, because the time ran out. */
  tookDraft: string
  declined: string
  timedOut: string
  aborted: string
  /** The question ended without an answer, for an unknown reason. */
  expired: string
  /** Somebody else answered or declined. `isRace`: something was entered here too. */
  superseded(
    by: string | undefined,
    at: Date | undefined,
    how: { isDeclined: boolean; isRace: boolean },
  ): string
  failed(isDraft: boolean): string
  /** The run has ended, before and after the answer. */
  runEnded: string
  runEndedSent: string
  /** Who answered, if the host says so, and when. */
  by(name: string | undefined, at: Date | undefined): string
  /** What went wrong. */
  problem(error: AskError): string
}
