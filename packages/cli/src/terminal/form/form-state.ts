import type { Asked } from '../subject-lines.ts'

/** What the form knows beside its session. */
export type FormState = typeof firstState

export const firstState = {
  /** The position of the question that is shown, from 0. The review comes after the last one. */
  step: 0,
  asked: { kind: 'question' } as Asked,
  /** Whether letters are keys, as in a walk through all questions that wait. Otherwise they begin own words. */
  isWalk: false,
  /** The position of the mark among all rows. In an approval it is -1 before the person has put it anywhere. */
  mark: -1,
  /** Whether the person has put the mark there. Before that, Enter picks what is marked, and sends nothing. */
  hasMarked: false,
  /** The last position of the mark within the list: its page stays in sight. */
  anchor: 0,
  filter: '',
  /** Whether characters are a part of the filter. Outside of a walk they are wherever there is one. */
  isFiltering: false,
  /** The place of the cursor, if the mark is on a text field. */
  cursor: 0,
  isDeclining: false,
  /** Why the person declines. Kept if they go back. */
  reason: '',
  /** How many lines of a long approval are above what is shown, and whether all of them were shown. */
  scrolled: 0,
  hasReadAll: false,
  /** Whether keys count. They do not before the person can have seen the form. */
  hasArrived: false,
  /** What is wrong with the last key, if anything. */
  problem: '',
}

/** The size of the terminal. */
export interface Size {
  columns: number
  rows: number
}
