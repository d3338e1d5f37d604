import { responseTo } from '../answer/response.ts'
import type { Question } from '../question/question.ts'
import type { Outcome } from '../record/outcome/outcome.ts'

/** What a person can decide about a tool call: the values of the options, and their labels. */
export const APPROVAL_OPTIONS = {
  allowOnce: { value: 'allow-once', label: 'Allow once' },
  allowSession: { value: 'allow-session', label: 'Allow for this session' },
  deny: { value: 'deny', label: 'Deny' },
} as const

/** The name of a decision in {@link APPROVAL_OPTIONS}. */
export type ApprovalDecision = keyof typeof APPROVAL_OPTIONS

const DECISIONS = Object.keys(APPROVAL_OPTIONS) as ApprovalDecision[]

export interface ApprovalQuestionOptions {
  /** What "Allow for this session" would allow. Without it, the option is not offered. */
  sessionScope?: string | undefined
  /** Whether "Deny" comes first. Default false. */
  denyFirst?: boolean | undefined
}

/** The question that asks for the approval of a tool call. It is asked alone, with `kind: 'approval'` and the call as its `subject`. */
export function approvalQuestion(
  toolName: string,
  { sessionScope, denyFirst = false }: ApprovalQuestionOptions = {},
): Question {
  const { allowOnce, allowSession, deny } = APPROVAL_OPTIONS
  const options = [
    allowOnce,
    ...(sessionScope === undefined ? [] : [{ ...allowSession, description: sessionScope }]),
    { ...deny, description: 'A note tells the agent why.' },
  ]
  return {
    id: 'permission',
    question: `May the agent use ${toolName}?`,
    header: 'Permission',
    options: denyFirst ? options.reverse() : options,
    allowFreeText: false,
  }
}

/** The decision that an option of the question stands for. */
export const decisionOf = (value: string | undefined): ApprovalDecision | undefined =>
  DECISIONS.find((name) => APPROVAL_OPTIONS[name].value === value)

/** What a person decided, and the note beside it. Defaults, drafts and missing answers are no decision. */
export function approvalIn({ kind, questions, responses }: Outcome): {
  decision?: ApprovalDecision | undefined
  note?: string | undefined
} {
  const [question] = questions
  const response = question && responseTo(responses, question)
  if (kind !== 'answered' || response === undefined || 'skipped' in response) return {}
  return response.source === 'human'
    ? { decision: decisionOf(response.selected[0]), note: response.notes?.trim() }
    : {}
}
