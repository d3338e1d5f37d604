import type { InputHTMLAttributes } from 'react'
import type { TypedLabels } from '../labels/typed-labels.ts'

/** What stands for a date of which some parts were entered, or are not in the calendar. It fits nowhere, so it is not sent. */
export const INCOMPLETE = '…'

/** The properties of a field for one end of a typed answer. */
export interface TypedInputProps {
  /** The question's label names the field by it. */
  id: string
  /** The question, for a field that no label can name. */
  title: string
  /** What was entered. It may not fit. */
  text: string
  labels: TypedLabels
  onEnter(text: string): void
  /** What every field has. */
  attributes: InputHTMLAttributes<HTMLInputElement>
}
