import type { AskedQuestion, QuestionOption } from '@sandagent/core'
import type { TextKind } from '@sandagent/core/internal'
import type { ButtonHTMLAttributes, ComponentType } from 'react'
import type { UseAskUserQuestionOptions } from '../../use-ask-session.ts'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'
import type { AskBackLabels } from '../labels/ask-back-labels.ts'
import type { AskLabels } from '../labels/ask-labels.ts'
import type { AssumptionLabels } from '../labels/assumption-labels.ts'
import type { FileLabels } from '../labels/file-labels.ts'
import type { SecretLabels } from '../labels/secret-labels.ts'
import type { TypedLabels } from '../labels/typed-labels.ts'
import type { RenderMarkdown } from '../markdown/use-markdown.ts'

/** How the previews of options are written. */
export type PreviewFormat = 'markdown' | 'html'

/** The state of a form and its actions: every part of the form gets it. */
export interface AskForm {
  ask: UseAskUserQuestionReturn
  labels: AskLabels & Partial<AskBackLabels & AssumptionLabels & SecretLabels & TypedLabels & FileLabels>
  components: AskComponents
  previewFormat: PreviewFormat
  /** How the form reaches the host. */
  options: UseAskUserQuestionOptions
  /** Renders Markdown as React elements. Absent until it is loaded, and if it did not come. */
  markdown?: RenderMarkdown | undefined
  /** The ids of the form's elements begin with it. Each form of a page has its own. */
  id: string
  /** Whether questions are shown one by one, not all at once. */
  isStepwise: boolean
  /** The position of the question that is shown, from 0. The review comes after the last question. */
  step: number
  isReview: boolean
  isDeclining: boolean
  /** Why the person declines, in their words. Kept if they go back. */
  reason: string
  setReason(reason: string): void
  /** Ids of the questions whose note is open. */
  openNotes: ReadonlySet<string>
  /**
   * What in the form has the focus: it decides which keys work. `page`: nothing, and keys of the page work. `null`: neither.
   */
  focused: Element | 'page' | null
  /** Goes to a question or to the review. The focus goes along, unless `keepFocus` is set. */
  goTo(step: number, options?: { keepFocus?: boolean | undefined }): void
  /** Goes to the next question, to the review, or sends. */
  goOn(): void
  /** Picks or toggles an option. A click, tap, number key or Enter in a single choice also goes on or sends. */
  pick(question: AskedQuestion, value: string): void
  /** Whether picking an option by hand would send the answer. */
  sendsOnPick(question: AskedQuestion): boolean
  skip(question: AskedQuestion): void
  openNote(question: AskedQuestion): void
  /** Enters a typed answer to a question, and goes on. A single question is sent. */
  answerWith(question: AskedQuestion, text: string): void
  submit(options?: { partial?: boolean | undefined }): void
  /** Asks whether to decline, or goes back. */
  setDeclining(isDeclining: boolean): void
  decline(): void
  retry(): void
  /** Takes back an answer that is not sent yet. */
  undo(): void
}

/** The properties of a part of the form. */
export interface FormPartProps {
  form: AskForm
}

/** The properties of a part that an approval has too. */
export interface FooterPartProps {
  form: Pick<AskForm, 'ask' | 'labels' | 'isReview' | 'submit' | 'retry' | 'undo'> & {
    components: Pick<AskComponents, 'Button'>
    /** See `AskForm`. */
    focused?: AskForm['focused']
  }
}

/** The properties of a part of asking back. An approval has them too. */
export interface AskingBackProps {
  form: {
    ask: Pick<UseAskUserQuestionReturn, 'kind' | 'thread' | 'askBack'>
    labels: Partial<AskBackLabels>
    components: Pick<AskComponents, 'Button'>
  }
}

/** The properties of a part of one question. */
export interface QuestionPartProps extends FormPartProps {
  question: AskedQuestion
}

/** The properties of an option. */
export interface OptionPartProps extends QuestionPartProps {
  option: QuestionOption
  /** From 0, among those that the filter shows. */
  position: number
  /** Whether its preview is shown where one is shown at a time. */
  isCurrent?: boolean
}

/** The properties of a text of the agent. */
export interface TextProps extends QuestionPartProps {
  text: string
  kind: TextKind
}

/** The properties of what an option would look like. */
export interface PreviewProps extends QuestionPartProps {
  /** The label of the option, without Markdown signs. */
  label: string
  text: string
}

/** The properties of the search field. */
export interface FilterProps extends FormPartProps {
  value: string
  onChange: (value: string) => void
  /** How many options match. */
  found: number
  total: number
}

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** How much weight it has. Default `plain`. */
  look?: 'primary' | 'plain' | 'quiet' | undefined
}

/** The parts of the form. Each can be replaced. */
export interface AskComponents {
  Title: ComponentType<FormPartProps>
  /** A chip for each question, and one for the review. From eight questions on: a menu. */
  Chips: ComponentType<FormPartProps>
  Question: ComponentType<QuestionPartProps>
  /** Finds an option among many. */
  Filter: ComponentType<FilterProps>
  /** One option. It must have a native radio or checkbox: shortcuts act on it. */
  Option: ComponentType<OptionPartProps>
  OwnAnswer: ComponentType<QuestionPartProps>
  Note: ComponentType<QuestionPartProps>
  Preview: ComponentType<PreviewProps>
  /** A text of the agent, such as the question, a label or a description: as Markdown, or as it is written. */
  Text: ComponentType<TextProps>
  Review: ComponentType<FormPartProps>
  /** The buttons in the footer: of the step, or of declining. */
  Actions: ComponentType<FormPartProps>
  /** Asks why, while the person declines. */
  Decline: ComponentType<FormPartProps>
  /** What can be done while an answer waits to be sent, or is sent again by itself. */
  SendBar: ComponentType<FormPartProps>
  Problem: ComponentType<FormPartProps>
  /** Other people who have the question open, and what they have entered. */
  Others: ComponentType<FormPartProps>
  /** The questions and their answers, read-only. */
  Summary: ComponentType<FormPartProps>
  /** The text of the live region. */
  Status: ComponentType<FormPartProps>
  Shortcuts: ComponentType<FormPartProps>
  Button: ComponentType<ButtonProps>
}
