// Facts that the page, the inbox, terminals and notices tell, each in one text. Where a sentence ends, they add the dot.

import type { AnswerReader } from './reader-of.ts'

// Every page has these, and bundlers keep an object whole. So they are alone.
export const TOOK_DRAFT_TEXT = 'Time ran out; the agent took the draft'
export const TIMED_OUT_TEXT = 'Nobody answered in time'
export const WITHDRAWN_TEXT = 'The agent withdrew the question'
export const GONE_TEXT = 'The agent is gone. Your answer is kept until it is started again'

/** How a question ended, if nobody sent an answer. */
export const ENDING_TEXTS: Readonly<Record<'partial' | 'timed-out' | 'aborted', string>> = {
  partial: TOOK_DRAFT_TEXT,
  'timed-out': TIMED_OUT_TEXT,
  aborted: WITHDRAWN_TEXT,
}

/** Who will read the answer, unless its agent waits for it. */
export const READER_TEXTS: Readonly<Record<Exclude<AnswerReader, 'waits'>, string>> = {
  'goes on': 'The agent goes on without an answer until you give one',
  'comes back': 'The agent is not here now. It looks for your answer when it is back',
  gone: GONE_TEXT,
}

/** The same in a list, beside where the question comes from. */
export const READER_NOTES: Readonly<Record<AnswerReader, string | undefined>> = {
  waits: undefined,
  'goes on': 'goes on without you',
  'comes back': 'its agent comes back for the answer',
  gone: 'its agent has ended',
}
