import {
  APPROVAL_OPTIONS,
  type ApprovalDecision,
  decisionOf,
  optionValue,
  type QuestionOption,
} from '@sandagent/core/internal'

/** The texts of `<ToolApproval>` that `<AskUserQuestion>` does not have. */
export interface ApprovalLabels extends Record<ApprovalDecision, string> {
  /** The title while the agent waits for the approval, and afterwards. */
  asksPermission: string
  askedPermission: string
  tool: string
  /** Above the input of the call. */
  input: string
  /** The note that goes to the agent with the decision. */
  approvalNote: string
}

const { allowOnce, allowSession, deny } = APPROVAL_OPTIONS

export const englishApprovalLabels: ApprovalLabels = {
  allowOnce: allowOnce.label, // "Allow once": terminals show the same text
  allowSession: allowSession.label,
  deny: deny.label,
  asksPermission: 'The agent asks for permission',
  askedPermission: 'The agent asked for permission',
  tool: 'Tool',
  input: 'Input from the agent',
  approvalNote: 'A word to the agent, if you want',
}

/** The label of an option. An option of another kind of approval has only the label that the host sent. */
export function decisionLabel(labels: ApprovalLabels, option: QuestionOption): string {
  const decision = decisionOf(optionValue(option))
  return decision ? labels[decision] : option.label
}
