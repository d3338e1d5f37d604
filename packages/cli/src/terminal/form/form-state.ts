/** What the form knows beside its session. */
export interface FormState {
  /** The position of the question that is shown, from 0. The review comes after the last one. */
  step: number
  /** The position of the mark among all rows. */
  mark: number
  /** The last position of the mark within the list: its page stays in sight. */
  anchor: number
  filter: string
  /** The place of the cursor, if the mark is on a text field. */
  cursor: number
  isDeclining: boolean
  /** Why the person declines. Kept if they go back. */
  reason: string
  /** Whether keys count. They do not before the person can have seen the form. */
  hasArrived: boolean
  /** What is wrong with the last key, if anything. */
  problem: string
}

export const firstState: FormState = {
  step: 0,
  mark: 0,
  anchor: 0,
  filter: '',
  cursor: 0,
  isDeclining: false,
  reason: '',
  hasArrived: false,
  problem: '',
}

/** The size of the terminal. */
export interface Size {
  columns: number
  rows: number
}
