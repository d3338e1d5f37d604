import type { AskedQuestion, QuestionOption } from '@sandagent/core'
import type { ButtonHTMLAttributes, ComponentType } from 'react'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'
import type { AskLabels } from '../labels/ask-labels.ts'

/** How the previews of options are written. */
export type PreviewFormat = 'markdown' | 'html'

/** A form at work: what every part of it is given. */
export interface AskForm {
  ask: UseAskUserQuestionReturn
  labels: AskLabels
  components: AskComponents
  previewFormat: PreviewFormat
  /** Begins the ids of the form's elements; no other form on the page has it. */
  id: string
  /** Whether questions come one by one; else all are shown at once. */
  isStepwise: boolean
  /** The position of the question at hand, from 0; behind the last one it is the review. */
  step: number
  isReview: boolean
  isDeclining: boolean
  /** Why the person declines, in their words; kept when they take the decision back. */
  reason: string
  setReason(reason: string): void
  /** Ids of the questions whose note is open. */
  openNotes: ReadonlySet<string>
  goTo(step: number): void
  /** Goes to the next question, to the review, or sends. */
  goOn(): void
  /** Picks or toggles an option. By hand (a click, tap, number key or Enter) a single choice also goes on or sends. */
  pick(question: AskedQuestion, value: string): void
  /** Whether picking an option by hand would send the answer. */
  sendsOnPick(question: AskedQuestion): boolean
  skip(question: AskedQuestion): void
  openNote(question: AskedQuestion): void
  submit(options?: { partial?: boolean | undefined }): void
  /** Asks whether to decline, or takes that back. */
  setDeclining(isDeclining: boolean): void
  decline(): void
  retry(): void
}

/** What a part of the form is given. */
export interface FormPartProps {
  form: AskForm
}

/** What a part of one question is given. */
export interface QuestionPartProps extends FormPartProps {
  question: AskedQuestion
}

/** What the search among many options is given. */
export interface FilterProps extends FormPartProps {
  value: string
  onChange: (value: string) => void
  /** How many options match, of how many. */
  found: number
  total: number
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** How much weight it has. Default `plain`. */
  look?: 'primary' | 'plain' | 'quiet' | undefined
}

/** The parts of the form. Each can be replaced; the rest works with what takes its place. */
export interface AskComponents {
  Title: ComponentType<FormPartProps>
  /** A chip for each question, and one for the review. */
  Chips: ComponentType<FormPartProps>
  Question: ComponentType<QuestionPartProps>
  /** Finds an option among many. */
  Filter: ComponentType<FilterProps>
  /** One choice. Its input is what the keys act on: keep a native radio or checkbox in it. */
  Option: ComponentType<QuestionPartProps & { option: QuestionOption; position: number }>
  OwnAnswer: ComponentType<QuestionPartProps>
  Note: ComponentType<QuestionPartProps>
  Preview: ComponentType<FormPartProps & { label: string; text: string }>
  Review: ComponentType<FormPartProps>
  Actions: ComponentType<FormPartProps>
  Decline: ComponentType<FormPartProps>
  Problem: ComponentType<FormPartProps>
  /** What was asked and answered, to be read only. */
  Summary: ComponentType<FormPartProps>
  /** The text of the live region. */
  Status: ComponentType<FormPartProps>
  Shortcuts: ComponentType<FormPartProps>
  Button: ComponentType<ButtonProps>
}
