import {
  type AnswerReader,
  type AskedQuestion,
  type AskSnapshot,
  assumptionOf,
  readerOf,
} from '@sandagent/core/internal'

const TEXTS: Record<AnswerReader, string | undefined> = {
  waits: undefined,
  'goes on': 'The agent goes on without an answer until you give one.',
  'comes back': 'The agent is not here now. It looks for your answer when it comes back.',
  gone: 'The agent has ended. It takes your answer when it is started again.',
}

/** Who will read the answer, unless the agent waits for it, or something else says what it goes on with. */
export function readerText({ view }: Pick<AskSnapshot, 'view'>, question: AskedQuestion): string | undefined {
  const reader = view && readerOf(view)
  return !reader || (reader === 'goes on' && assumptionOf(question) !== undefined) ? undefined : TEXTS[reader]
}

/** What the agent goes on with, or went on with until it ended. */
export const standsText = ({ runEnded }: Pick<AskSnapshot, 'runEnded'>, assumption: string): string =>
  `the agent ${runEnded ? 'went' : 'goes'} on with ${assumption}`
