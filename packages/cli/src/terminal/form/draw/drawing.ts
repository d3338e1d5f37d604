import type { AskSnapshot } from '@sandagent/core/internal'
import type { Held } from '../../session/held-answer.ts'
import type { FormState, Size } from '../form-state.ts'
import type { Row } from '../rows.ts'
import type { Page } from './pages.ts'
import type { Paint } from './paint.ts'

/** Longer lines are hard to read. */
export const WIDEST_TEXT = 110

/** Everything that is drawn, in lines that fit the terminal, and what the keys act on. */
export interface Drawing {
  lines: string[]
  /** Where the cursor of the terminal is, from the top left corner of the drawing. */
  cursor: { x: number; y: number } | undefined
  rows: Row[]
  /** How many of the rows are in the list. */
  listLength: number
  mark: number
  pages: Page[]
  page: Page
  /** Of the text of an approval: the lines that are shown, how many there are, and how many were never shown. */
  text: { from: number; to: number; length: number; unread: number }
}

export interface DrawOptions extends Omit<View, 'width'> {
  size: Size
  /** What Ctrl-C does, in a word or two. */
  ctrlC: string
}

/** What is drawn, and how wide its lines may be. */
export interface View {
  snapshot: AskSnapshot
  /** The answer that leaves in a moment. */
  held: Held | null
  state: FormState
  paint: Paint
  width: number
  /** Milliseconds since 1970. */
  now: number
}

/** What gives way in little space: the most lines of these, and with `isSpare` the keys, empty lines and the preview. */
export interface Sparing {
  labelLines?: number
  descriptionLines?: number
  previewLines?: number
  fieldLines?: number
  isSpare?: boolean
}
