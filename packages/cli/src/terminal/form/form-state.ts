import type { Asked } from '../subject-lines.ts'

/** What the form knows beside its session. */
export interface FormState {
  /** The position of the question that is shown, from 0. The review comes after the last one. */
  step: number
  asked: Asked
  /** The position of the mark among all rows. In an approval it is -1 before the person has put it anywhere. */
  mark: number
  /** Whether the person has put the mark there. Before that, Enter picks what is marked, and sends nothing. */
  hasMarked: boolean
  /** The last position of the mark within the list: its page stays in sight. */
  anchor: number
  filter: string
  /** The place of the cursor, if the mark is on a text field. */
  cursor: number
  isDeclining: boolean
  /** Why the person declines. Kept if they go back. */
  reason: string
  /** How many lines of a long approval are above what is shown, and whether all of them were shown. */
  scrolled: number
  hasReadAll: boolean
  /** Whether keys count. They do not before the person can have seen the form. */
  hasArrived: boolean
  /** What is wrong with the last key, if anything. */
  problem: string
}

export const firstState: FormState = {
  step: 0,
  asked: { kind: 'question' },
  mark: -1,
  hasMarked: false,
  anchor: 0,
  filter: '',
  cursor: 0,
  isDeclining: false,
  reason: '',
  scrolled: 0,
  hasReadAll: false,
  hasArrived: false,
  problem: '',
}

/** The size of the terminal. */
export interface Size {
  columns: number
  rows: number
}
