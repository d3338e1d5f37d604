/** The texts of `<ToolApproval>` that questions have no need for. */
export interface ApprovalLabels {
  /** The title while the permission is waited for, and afterwards. */
  asksPermission: string
  askedPermission: string
  tool: string
  /** Above the input of a call that is no list of named values. */
  input: string
  /** The note that goes to the agent with the decision. */
  approvalNote: string
}

export const englishApprovalLabels: ApprovalLabels = {
  asksPermission: 'The agent asks for permission',
  askedPermission: 'The agent asked for permission',
  tool: 'Tool',
  input: 'Input',
  approvalNote: 'A word to the agent, if you want',
}
