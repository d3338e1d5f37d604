import {
  type AskedQuestion,
  type AskSnapshot,
  assumptionOf,
  READER_TEXTS,
  readerOf,
} from '@sandagent/core/internal'

/** Who will read the answer, unless the agent waits for it, or something else says what it goes on with. */
export function readerText({ view }: Pick<AskSnapshot, 'view'>, question: AskedQuestion): string | undefined {
  const reader = view ? readerOf(view) : 'waits'
  if (reader === 'waits' || (reader === 'goes on' && assumptionOf(question) !== undefined)) return undefined
  return `${READER_TEXTS[reader]}.`
}

/** What the agent goes on with, or went on with until it ended. */
export const standsText = ({ runEnded }: Pick<AskSnapshot, 'runEnded'>, assumption: string): string =>
  `the agent ${runEnded ? 'went' : 'goes'} on with ${assumption}`
