import {
  type ApprovalSubject,
  type AskedQuestion,
  approvalQuestion,
  type CallReading,
  decisionOf,
  findOption,
  optionValue,
  type QuestionOption,
  readCall,
  visible,
} from '@sandagent/core/internal'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'
import type { AskBackLabels } from '../labels/ask-back-labels.ts'
import type { AskLabels } from '../labels/ask-labels.ts'
import type { AskComponents } from '../state/ask-form.ts'
import type { PasskeyLabels } from './allow/passkey-labels.ts'
import { type ApprovalLabels, decisionLabel } from './approval-labels.ts'
import type { PlanLabels } from './call/plan-labels.ts'
import type { EditLabels } from './edit/edit-labels.ts'
import { type CallEdit, editedIn } from './edit/use-call-edit.ts'

/** The state of an approval and its actions: every part of it gets it. */
export interface ApprovalForm {
  ask: UseAskUserQuestionReturn
  labels: AskLabels & ApprovalLabels & Partial<AskBackLabels & EditLabels & PasskeyLabels & PlanLabels>
  components: Pick<AskComponents, 'Button'>
  /** The call, as the host knows it. */
  subject: ApprovalSubject
  /** What the call would do. */
  reading: CallReading
  question: AskedQuestion
  /** How the person edits the call. */
  edit: CallEdit
  /** The question in the asker's own words, if it has any. */
  ownQuestion: string | undefined
  /** Why it is asked although there is a grant. */
  asksAgain: string | undefined
  /** The id of the heading. */
  headingId: string
  /** Whether what decides is switched off: it has just come into sight, or a decision is on its way. */
  isOff: boolean
  /** An approval has no review. */
  isReview: false
  /** Does what a decision button says. The focus goes to the status, because the buttons go. */
  decide(act: () => void): void
  submit(): void
  retry(): void
  undo(): void
}

/** What is shown of a call, whoever decides about it; and what a person enters about it here. */
export type ShownCall = Pick<
  ApprovalForm,
  'labels' | 'subject' | 'reading' | 'ownQuestion' | 'asksAgain' | 'headingId'
> &
  Partial<Pick<ApprovalForm, 'ask' | 'question'>>

/** The same from what the host knows of it. */
export const shownCall = (
  subject: ApprovalSubject,
  { question }: AskedQuestion,
  asksAgain: string | undefined,
): Pick<ShownCall, 'subject' | 'reading' | 'ownQuestion' | 'asksAgain'> => ({
  subject,
  reading: readCall(subject),
  // The standard question says no more than the heading.
  ownQuestion:
    question === '' || question === approvalQuestion(subject.toolName).question ? undefined : question,
  asksAgain,
})

/** The properties of a part of an approval. */
export interface ApprovalPartProps {
  form: ApprovalForm
}

/** The text of a decision. */
export const labelOf = ({ labels, question, reading }: ApprovalForm, value: string): string =>
  visible(decisionLabel(labels, findOption(question, value) ?? { label: value }, reading.kind))

/** The text of a decision in responses: one that allows an edited call says so. */
export const decidedAs = (
  form: ApprovalForm,
  value: string,
  responses: UseAskUserQuestionReturn['responses'],
): string => (editedIn(responses, form.question) === undefined ? labelOf(form, value) : form.labels.changed)

/**
 * The options of an approval: those that deny, and all others. Where the host offers more than this call, the agent's own
 * "Allow for this session" is left out: nobody sees later what that has allowed.
 */
export function decisionsIn({ ask, question }: Pick<ApprovalForm, 'ask' | 'question'>): {
  denials: QuestionOption[]
  others: QuestionOption[]
} {
  const options = (question.options ?? []).filter(
    (option) => !ask.view?.scopes || decisionOf(optionValue(option)) !== 'allowSession',
  )
  const denials = options.filter((option) => decisionOf(optionValue(option)) === 'deny')
  const others = options.filter((option) => !denials.includes(option))
  return { denials, others }
}
