import type { GrantScope } from '@sandagent/core/internal'
import type { TypedSecrets } from '../session/give-secret.ts'
import type { Asked } from '../subject-lines.ts'
import type { CallEdit } from './edit/call-edit.ts'

/**
 * What of the form is shown. `question`: one, or the review of all. `decline`: the ways to decline. `edit`: the text of a call.
 * `changes`: what that changes. `scopes`: what a person can allow beyond a call.
 */
export type Part = 'question' | 'decline' | 'edit' | 'changes' | 'scopes'

/** What begins anew with each part of the form. */
export const freshPart = {
  part: 'question' as Part,
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
  /** How many lines of a long approval are above what is shown, and whether all of them were shown. */
  scrolled: 0,
  hasReadAll: false,
  /** What is wrong with the last key, if anything. */
  problem: '',
}

/** What the form knows beside its session. */
export type FormState = typeof firstState

export const firstState = {
  ...freshPart,
  /** The position of the question that is shown, from 0. The review comes after the last one. */
  step: 0,
  asked: { kind: 'question' } as Asked,
  /** Whether letters are keys, as in a walk through all questions that wait. Otherwise they begin own words. */
  isWalk: false,
  /** Why the person declines. Kept if they go back. */
  reason: '',
  /** What was typed for secrets. Each form has its own. */
  secrets: new Map() as TypedSecrets,
  /** The path that is typed for a file, and whether one is being added. */
  path: '',
  isAdding: false,
  /** How the person edits the call. Kept if they go back. */
  edit: null as CallEdit | null,
  /** What can be allowed beyond the call, as it was offered first: no row changes under the person's hand. */
  scopes: null as readonly GrantScope[] | null,
  /** Whether the person has an editor of their own. */
  hasEditor: false,
  /** Whether keys count. They do not before the person can have seen the form. */
  hasArrived: false,
}

/** The size of the terminal. */
export interface Size {
  columns: number
  rows: number
}
