import {
  APPROVAL_OPTIONS,
  type ApprovalDecision,
  type CallReading,
  callHeading,
  decisionOf,
  optionValue,
  type QuestionOption,
  type Risk,
} from '@sandagent/core/internal'
import { time } from '../labels/ask-labels.ts'
import type { EditLabels } from './edit/edit-labels.ts'

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
  /** What was decided, and by whom. */
  decided: {
    allowOnce: 'Allowed once',
    allowSession: 'Allowed for this session',
    deny: 'Denied',
  } as Readonly<Record<ApprovalDecision, string>>,
  /** The host has allowed it, because of what this person had allowed before. */
  allowedBefore: 'Allowed before',
  decidedBy: (name: string | undefined, at: Date | undefined): string =>
    [name && `by ${name}`, at && time(at)].filter(Boolean).join(' · '),
}

export type ApprovalLabels = typeof englishApprovalLabels & EditLabels

/** The label of an option. An option of another kind of approval has only the label that the host sent. */
export function decisionLabel(labels: ApprovalLabels, option: QuestionOption): string {
  const decision = decisionOf(optionValue(option))
  return decision ? labels[decision] : option.label
}
