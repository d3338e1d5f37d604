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

  /** What the keys do, pair by pair: keys, then their meaning. */
  keys: Record<
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

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** The time, and the day unless it is today. */
const time = (at: Date): string =>
  at.toLocaleString([], {
    ...(at.toDateString() !== new Date().toDateString() && { dateStyle: 'medium' }),
    timeStyle: 'short',
  })

/** The texts in English; `labels` of the component replaces any of them. */
export const englishLabels: AskLabels = {
  asks: 'The agent asks',
  asked: 'The agent asked',
  subagent: (name) => (name === undefined ? 'A subagent' : `Subagent ${name}`),
  about: (part, which) => `${part}: ${which}`,
  questions: (count) => plural(count, 'question', 'questions'),
  questionOf: (number, total) => `Question ${number} of ${total}`,
  hide: 'Hide',
  show: 'Show',

  pickOne: 'Pick one',
  pickOneToSend: 'Pick one; that sends it',
  pickAny: 'Pick any number',
  optional: 'Optional',
  number: ({ min, max }) =>
    [
      'A number',
      min !== undefined && (max === undefined ? `at least ${min}` : `from ${min}`),
      max !== undefined && (min === undefined ? `at most ${max}` : `to ${max}`),
    ]
      .filter(Boolean)
      .join(' '),
  filter: 'Filter the options',
  filtered: (found, total) => (found === 0 ? 'No option matches' : `${found} of ${total}`),
  ownAnswer: 'Type your own answer',
  answer: 'Type your answer',
  keptText: 'Kept, but not sent: an option is picked',
  addNote: 'Add a note',
  preview: 'Preview',

  next: 'Next',
  back: 'Back',
  skip: 'Skip',
  review: 'Review',
  change: 'Change',
  send: 'Send answer',
  sendPartial: 'Send anyway',
  decline: 'Decline',
  tryAgain: 'Try again',

  reviewTitle: 'Check your answers',
  missing: 'This needs an answer',
  missingCount: (count) => `${plural(count, 'question still needs', 'questions still need')} an answer.`,
  answered: 'Answered',
  skipped: 'Skipped',
  noAnswer: 'No answer',
  byDefault: 'Agent’s default; nobody chose it',
  note: 'Note',
  unsent: 'Entered here, but not sent',

  declineTitle: (hasEntries) =>
    hasEntries ? 'Decline, and leave out what you entered?' : 'Decline to answer?',
  declineReason: 'Why, if you want to say',
  reason: 'Reason',
  keepAnswering: 'Keep answering',

  keys: {
    pick: ['1–9', 'pick'],
    move: ['↑ ↓', 'move'],
    go: ['Enter', 'go on'],
    // There, Enter alone picks.
    goFromMany: ['Ctrl Enter', 'go on'],
    send: ['Enter', 'send'],
    sendFromMany: ['Ctrl Enter', 'send'],
    line: ['Shift Enter', 'new line'],
    note: ['n', 'note'],
    escape: ['Esc', 'decline'],
    // While it asks whether to decline.
    stay: ['Esc', 'keep answering'],
  },

  streaming: 'The agent is still writing…',
  waiting: 'The agent waits for you',
  saving: 'Saving…',
  saved: (answered, total) => `Draft saved · ${answered} of ${total} answered`,
  waitsUntil: (at) => `Waits until ${time(at)}`,
  lastMinute: 'Less than a minute left; whatever you enter gives you more',
  timeUp: 'The time is up; the agent may go on at any moment',
  sending: 'Sending…',
  sent: 'Sent. Waiting for the agent to take it…',
  sentRefusal: 'Declined. Waiting for the agent to take note…',
  received: 'Received by the agent',
  tookDraft: 'Time ran out; the agent took the draft',
  declined: 'Declined. The agent knows',
  timedOut: 'Nobody answered in time',
  aborted: 'The agent withdrew the question',
  expired: 'The agent stopped waiting',
  superseded: (by) => `${by ?? 'Somebody else'} answered first; this is what counts`,
  failed: (isDraft) => `Not ${isDraft ? 'saved' : 'sent'} yet. What you entered is kept here`,
  runEnded: 'The agent is gone. Your answer is kept until it is started again',
  runEndedSent: 'Kept. The agent takes it up when it is started again',
  by: (name, at) => [name && `Answered by ${name}`, at && time(at)].filter(Boolean).join(' · '),
  problem: ({ code, message }) =>
    code === 'UNREACHABLE'
      ? 'This could not be sent. Nothing is lost.'
      : code === 'UNAUTHENTICATED'
        ? 'Sign in again to send this. Nothing is lost.'
        : message,
}
