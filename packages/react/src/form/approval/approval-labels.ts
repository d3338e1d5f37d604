import {
  APPROVAL_OPTIONS,
  type ApprovalDecision,
  type CallReading,
  callHeading,
  decisionOf,
  optionValue,
  PLAN_LABELS,
  type QuestionOption,
  type Risk,
} from '@sandagent/core/internal'
import { time } from '../labels/ask-labels.ts'

const { allowOnce, allowSession, deny } = APPROVAL_OPTIONS

/** The texts of `<ToolApproval>` that `<AskUserQuestion>` does not have, in English. */
export const englishApprovalLabels = {
  // "Allow once": terminals show the same text.
  allowOnce: allowOnce.label as string,
  allowSession: allowSession.label as string,
  deny: deny.label as string,
  /** Opens what a person can allow beyond this call. */
  allowMore: 'Allow more than this call',
  /** The title while the agent waits for the approval, and afterwards. */
  asksPermission: 'The agent asks for permission',
  askedPermission: 'The agent asked for permission',
  /** What happens, as a question. It has no words of the agent but plain names. */
  heading: (reading: CallReading): string => callHeading(reading),
  /** The name of the list of risks, and each of them. */
  risks: 'Look at this',
  risk: ({ label }: Risk): string => label,
  /** Above what a rule says, and above the agent's own words. */
  becauseOf: 'It asks because',
  agentSays: 'The agent says',
  tool: 'Tool',
  /** Above what the call says besides. */
  input: 'Input from the agent',
  /** The note that goes to the agent with the decision. */
  approvalNote: 'A word to the agent, if you want',
  edit: 'Edit',
  editCancel: 'Cancel',
  editLoading: 'The editor is loading',
  editFailed: 'The editor did not load. Cancel, and try again.',
  /** Above what was changed, afterwards. */
  editMade: 'What was changed:',
  /** Above the changes that another person made. */
  editBy: (name: string): string => `Changed by ${name}`,
  editUse: 'Use these changes',
  /** In the place of "Allow once" and "Deny" for a plan. */
  acceptPlan: PLAN_LABELS.accept as string,
  sendPlanBack: PLAN_LABELS.sendBack as string,
  /** What was decided, and by whom. */
  changed: 'Allowed with changes',
  decided: {
    allowOnce: 'Allowed once',
    allowSession: 'Allowed for this session',
    deny: 'Denied',
  } as Readonly<Record<ApprovalDecision, string>>,
  decidedPlan: { allowOnce: 'Accepted', deny: 'Sent back' },
  /** The host has allowed it, because of what this person had allowed before. */
  allowedBefore: 'Allowed before',
  decidedBy: (name: string | undefined, at: Date | undefined): string =>
    [name && `by ${name}`, at && time(at)].filter(Boolean).join(' · '),
}

export type ApprovalLabels = typeof englishApprovalLabels

/** The label of an option. An option of another kind of approval has only the label that the host sent. */
export function decisionLabel(
  labels: ApprovalLabels,
  option: QuestionOption,
  kind: CallReading['kind'],
): string {
  const decision = decisionOf(optionValue(option))
  if (kind === 'plan' && decision === 'deny') return labels.sendPlanBack
  if (kind === 'plan' && decision === 'allowOnce') return labels.acceptPlan
  return decision ? labels[decision] : option.label
}
