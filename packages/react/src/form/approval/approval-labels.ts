import { APPROVAL_OPTIONS, decisionOf, optionValue, type QuestionOption } from '@sandagent/core/internal'

const { allowOnce, allowSession, deny } = APPROVAL_OPTIONS

/** The texts of `<ToolApproval>` that `<AskUserQuestion>` does not have, in English. */
export const englishApprovalLabels = {
  // "Allow once": terminals show the same text.
  allowOnce: allowOnce.label as string,
  allowSession: allowSession.label as string,
  deny: deny.label as string,
  /** The title while the agent waits for the approval, and afterwards. */
  asksPermission: 'The agent asks for permission',
  askedPermission: 'The agent asked for permission',
  tool: 'Tool',
  /** Above the input of the call. */
  input: 'Input from the agent',
  /** The note that goes to the agent with the decision. */
  approvalNote: 'A word to the agent, if you want',
}

export type ApprovalLabels = typeof englishApprovalLabels

/** The label of an option. An option of another kind of approval has only the label that the host sent. */
export function decisionLabel(labels: ApprovalLabels, option: QuestionOption): string {
  const decision = decisionOf(optionValue(option))
  return decision ? labels[decision] : option.label
}
