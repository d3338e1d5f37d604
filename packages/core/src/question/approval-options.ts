/** What a person can decide about a tool call: the values of the options, and their labels. */
export const APPROVAL_OPTIONS = {
  allowOnce: { value: 'allow-once', label: 'Allow once' },
  allowSession: { value: 'allow-session', label: 'Allow for this session' },
  deny: { value: 'deny', label: 'Deny' },
} as const

/** The same decisions about a plan: to accept it is to allow the call once. */
export const PLAN_LABELS = { accept: 'Accept the plan', sendBack: 'Send it back' } as const

/** The name of a decision in {@link APPROVAL_OPTIONS}. */
export type ApprovalDecision = keyof typeof APPROVAL_OPTIONS

const DECISIONS = Object.keys(APPROVAL_OPTIONS) as ApprovalDecision[]

/** The decision that an option of the question stands for. */
export const decisionOf = (value: string | undefined): ApprovalDecision | undefined =>
  DECISIONS.find((name) => APPROVAL_OPTIONS[name].value === value)
