import { votesText, whoMayAnswer } from '@sandagent/core/internal'
import type { AskLabels } from './ask-labels.ts'

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/** The time, with the day if it is not today. */
const time = (at: Date): string =>
  at.toLocaleString([], {
    ...(at.toDateString() !== new Date().toDateString() && { dateStyle: 'medium' }),
    timeStyle: 'short',
  })

/** The texts in English. The property `labels` replaces any of them. */
export const englishLabels: AskLabels = {
  asks: 'The agent asks',
  asked: 'The agent asked',
  subagent: (name) => (name === undefined ? 'A subagent' : `Subagent ${name}`),
  about: (part, which) => `${part}: ${which}`,
  questions: (count) => plural(count, 'question', 'questions'),
  questionOf: (number, total) => `Question ${number} of ${total}`,
  place: (number, total) => `${number} / ${total}`,
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
  recommended: 'Recommended',
  showMore: 'Show more',
  showLess: 'Show less',
  unstyledPreview: 'This page does not allow the styles of this preview.',
  unusable: 'This form has failed. Reload the page to answer.',
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
  sendsSoon: 'Sending in a moment. Undo stops it',
  undo: 'Undo',
  sendNow: 'Send now',
  nextTry: (at) => `Next try at ${at.toLocaleTimeString()}`,
  tryNow: 'Try now',
  stopTrying: 'Stop trying',

  reviewTitle: 'Check your answers',
  missing: 'This needs an answer',
  missingCount: (count) => `${plural(count, 'question still needs', 'questions still need')} an answer.`,
  answered: 'Answered',
  skipped: 'Skipped',
  noAnswer: 'No answer',
  byDefault: 'Agent’s default; nobody chose it',
  note: 'Note',
  unsent: 'Entered here, but not sent',
  copy: 'Copy',
  copied: 'Copied',

  onlyMay: (rule) => `Only ${whoMayAnswer(rule)} may answer this`,
  votes: votesText,
  voted: 'Your vote is stored',
  hasVoted: (name) => `${name} has voted`,

  somebody: 'Somebody else',
  isAnswering: (name) => `${name} is answering`,
  hasOpen: (name) => `${name} has this open`,
  hasEntered: (name) => `${name} has entered this`,
  takeOver: 'Take over',

  declineTitle: (hasEntries) =>
    hasEntries ? 'Decline, and leave out what you entered?' : 'Decline to answer?',
  declineReason: 'Why, if you want to say',
  reason: 'Reason',
  keepAnswering: 'Keep answering',

  shortcuts: {
    pick: ['1–9', 'pick'],
    move: ['↑ ↓', 'move'],
    check: ['Space', 'check'],
    steps: ['← →', 'change the question'],
    go: ['Enter', 'go on'],
    // In a multiple choice, Enter alone picks.
    goFromMany: ['Ctrl Enter', 'go on'],
    send: ['Enter', 'send'],
    sendFromMany: ['Ctrl Enter', 'send'],
    find: ['Enter', 'to the options'],
    line: ['Shift Enter', 'new line'],
    note: ['n', 'note'],
    escape: ['Esc', 'decline'],
    // While the form asks whether to decline.
    stay: ['Esc', 'keep answering'],
    // While an answer waits to be sent.
    undo: ['Esc', 'undo'],
  },

  streaming: 'The agent is still writing…',
  waiting: 'The agent waits for you',
  saving: 'Saving…',
  saved: (answered, total) => `Draft saved · ${answered} of ${total} answered`,
  waitsUntil: (at) => `Waits until ${time(at)}`,
  lastMinute: 'Less than a minute left; whatever you enter gives you more',
  timeUp: 'The time is up; the agent may go on at any moment',
  sending: 'Sending…',
  retrying: 'Not sent yet, trying again. What you entered is kept here',
  sent: 'Sent. Waiting for the agent to take it…',
  sentRefusal: 'Declined. Waiting for the agent to take note…',
  received: 'Received by the agent',
  tookDraft: 'Time ran out; the agent took the draft',
  declined: 'Declined. The agent knows',
  timedOut: 'Nobody answered in time',
  aborted: 'The agent withdrew the question',
  expired: 'The agent stopped waiting',
  superseded: (by, at, { isDeclined, isRace }) => {
    const verb = isDeclined ? 'declined' : 'answered'
    // Without a name it may have been the same person, in another browser.
    const who = by === undefined ? `${isDeclined ? 'Declined' : 'Answered'} elsewhere` : `${by} ${verb}`
    const when = at ? ` at ${time(at)}` : ''
    return isRace ? `${who} first${when}. Yours was not sent` : `${who}${when}`
  },
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
