import {
  type AskError,
  GONE_TEXT,
  type PolicyRule,
  TIMED_OUT_TEXT,
  TOOK_DRAFT_TEXT,
  votesText,
  WITHDRAWN_TEXT,
  whoMayAnswer,
} from '@sandagent/core/internal'
import type { ShortcutLabels } from './shortcut-labels.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** The time, with the day if it is not today. */
export const time = (at: Date): string =>
  at.toLocaleString([], {
    ...(at.toDateString() !== new Date().toDateString() && { dateStyle: 'medium' }),
    timeStyle: 'short',
  })

/**
 * Every text of the form, in English. The property `labels` replaces any of them. Times are `Date`s, so that each language
 * writes them its own way.
 */
export const englishLabels = {
  /** The title while the question waits, and afterwards. */
  asks: 'The agent asks',
  asked: 'The agent asked',
  /** Beside the title, if a subagent asks. */
  subagent: (name: string | undefined): string => (name === undefined ? 'A subagent' : `Subagent ${name}`),
  /** The name of a part of the form, with the question or option that it belongs to. */
  about: (part: string, which: string): string => `${part}: ${which}`,
  questions: (count: number): string => plural(count, 'question', 'questions'),
  questionOf: (number: number, total: number): string => `Question ${number} of ${total}`,
  /** The same in short, in the menu of many questions. */
  place: (number: number, total: number): string => `${number} / ${total}`,
  hide: 'Hide',
  show: 'Show',

  pickOne: 'Pick one',
  /** If picking also sends. */
  pickOneToSend: 'Pick one to send',
  pickAny: 'Pick any number',
  optional: 'Optional',
  filter: 'Filter the options',
  filtered: (found: number, total: number): string =>
    found === 0 ? 'No option matches' : `${found} of ${total}`,
  ownAnswer: 'Type your own answer',
  answer: 'Type your answer',
  /** Beside typed text that is not sent, because an option is picked. */
  keptText: 'Kept, but not sent: an option is picked',
  addNote: 'Add a note',
  preview: 'Preview',
  /** Beside an option that the agent recommends. */
  recommended: 'Recommended',
  /** Below a long question. */
  showMore: 'Show more',
  showLess: 'Show less',
  /** Below a preview in HTML whose styles the page's policy forbids. */
  unstyledPreview: 'This page does not allow the styles of this preview.',
  /** In the place of a form that has failed, above the question. */
  unusable: 'This form has failed. Reload the page to answer.',
  /** Above the source of a preview in HTML, if the page's policy forbids HTML. */
  noHtmlPreview: 'This page does not allow HTML. This is the source.',

  next: 'Next',
  back: 'Back',
  skip: 'Skip',
  review: 'Review',
  change: 'Change',
  send: 'Send answer',
  sendPartial: 'Send anyway',
  decline: 'Decline',
  tryAgain: 'Try again',
  /** While an answer that a pick completed waits to be sent: what happens, and the two buttons. */
  sendsIn: (seconds: number, answer: string): string => `Sends in ${seconds} s: ${answer}`,
  undo: 'Undo',
  sendNow: 'Send now',
  /** While an answer is sent again by itself: when that is next, if that is not soon, and the two buttons. */
  nextTry: (at: Date): string => `Next try at ${at.toLocaleTimeString()}`,
  tryNow: 'Try now',
  stopTrying: 'Stop trying',

  reviewTitle: 'Check your answers',
  missing: 'This needs an answer',
  missingCount: (count: number): string =>
    `${plural(count, 'question still needs', 'questions still need')} an answer.`,
  answered: 'Answered',
  /** In the place of a secret. */
  given: 'Given',
  skipped: 'Skipped',
  noAnswer: 'No answer',
  /** Beside an answer that is the agent's default for a time-out. */
  byDefault: 'Agent’s default; nobody chose it',
  note: 'Note',
  /** Above entries of this page that were not sent before the question ended. */
  unsent: 'Entered here, but not sent',
  /** Copies what was not sent. */
  copy: 'Copy',
  copied: 'Copied',

  /** Who may answer, for somebody who may not. */
  onlyMay: (rule: PolicyRule): string => `Only ${whoMayAnswer(rule)} may answer this`,
  /** How many people must give the same answer, and how many have voted. */
  votes: votesText as (rule: PolicyRule, given: number) => string,
  /** The person has voted. */
  voted: 'Your vote is stored',
  hasVoted: (name: string): string => `${name} has voted`,

  /** A person whose name the host does not know. */
  somebody: 'Somebody else',
  /** Other people who have the question open: they enter something now, they do not, or they have left. */
  isAnswering: (name: string): string => `${name} is answering`,
  hasOpen: (name: string): string => `${name} has this open`,
  hasEntered: (name: string): string => `${name} has entered this`,
  /** Copies what somebody else has entered into the form. */
  takeOver: 'Take over',

  declineTitle: (hasEntries: boolean): string =>
    hasEntries ? 'Decline, and leave out what you entered?' : 'Decline to answer?',
  declineReason: 'Why, if you want to say',
  /** Above the reason that was given. */
  reason: 'Reason',
  /** The person asked the agent something in place of an answer. */
  askedBack: 'Asked back',
  keepAnswering: 'Keep answering',

  /** The keyboard shortcuts: keys, then what they do. Those that are missing here are loaded with their list. */
  shortcuts: { undo: ['Esc', 'undo'] } as ShortcutLabels,

  /** Without a message: until the host says what is asked, and why it does not. */
  loading: (error: AskError | null): string =>
    error?.code === 'UNAUTHENTICATED'
      ? 'Sign in to see the question'
      : (error?.message ?? 'Looking for the question…'),
  streaming: 'The agent is still writing…',
  waiting: 'The agent waits for you',
  saving: 'Saving…',
  saved: (answered: number, total: number): string => `Draft saved · ${answered} of ${total} answered`,
  waitsUntil: (at: Date): string => `Waits until ${time(at)}`,
  /** In the last minute, such as `0:56`. Without the time where it is said aloud, once. */
  lastMinute: (left?: string): string => `${left ?? 'Less than a minute'} left. Any entry adds time`,
  /** The time is up, and the agent has not gone on yet. */
  timeUp: 'The time is up; the agent may go on at any moment',
  sending: 'Sending…',
  retrying: 'Not sent yet, trying again. What you entered is kept here',
  sent: 'Sent. Waiting for the agent to take it…',
  sentRefusal: 'Declined. Waiting for the agent to take note…',
  received: 'Received by the agent',
  /** The agent took a draft, because the time ran out. */
  tookDraft: TOOK_DRAFT_TEXT as string,
  declined: 'Declined. The agent was told',
  timedOut: TIMED_OUT_TEXT as string,
  aborted: WITHDRAWN_TEXT as string,
  /** The question ended without an answer, for an unknown reason. */
  expired: 'The agent stopped waiting',
  /** Somebody else answered or declined. `isRace`: something was entered here too. */
  superseded: (
    by: string | undefined,
    at: Date | undefined,
    { isDeclined, isRace }: { isDeclined: boolean; isRace: boolean },
  ): string => {
    const verb = isDeclined ? 'declined' : 'answered'
    // Without a name it may have been the same person, in another browser.
    const who = by === undefined ? `${isDeclined ? 'Declined' : 'Answered'} elsewhere` : `${by} ${verb}`
    const when = at ? ` at ${time(at)}` : ''
    return isRace ? `${who} first${when}. Yours was not sent` : `${who}${when}`
  },
  failed: (isDraft: boolean): string =>
    `Not ${isDraft ? 'saved' : 'sent'} yet. What you entered is kept here`,
  /** The run has ended, before and after the answer. */
  runEnded: GONE_TEXT as string,
  runEndedSent: 'Kept. The agent takes it up when it is back',
  /** Who answered, if the host says so, and when. */
  by: (name: string | undefined, at: Date | undefined): string =>
    [name && `Answered by ${name}`, at && time(at)].filter(Boolean).join(' · '),
  /** What went wrong. */
  problem: ({ code, message }: AskError): string =>
    code === 'UNREACHABLE'
      ? 'This could not be sent. Nothing is lost.'
      : code === 'UNAUTHENTICATED'
        ? 'Sign in again to send this. Nothing is lost.'
        : message,
}

/** Every text of the form. */
export type AskLabels = typeof englishLabels
