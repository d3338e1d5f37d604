import { READER_TEXTS } from '@sandagent/core/internal'

/** The texts of a question for which its agent does not wait, in English. */
export const englishAssumptionLabels = {
  /** What it goes on with. Without an assumption: that it goes on. */
  goesOn: (assumption: string | undefined): string =>
    assumption === undefined
      ? READER_TEXTS['goes on']
      : `The agent goes on with “${assumption}” until you say otherwise`,
  /** What it went on with, once its process has ended. */
  wentOn: (assumption: string | undefined): string =>
    `The agent went on ${assumption === undefined ? 'without an answer' : `with “${assumption}”`}`,
  /** Its process has ended, and it looks for the answer by itself. */
  away: READER_TEXTS['comes back'] as string,
  /** The button that answers with what it goes on with. */
  letStand: 'Let it stand',
}

export type AssumptionLabels = typeof englishAssumptionLabels
