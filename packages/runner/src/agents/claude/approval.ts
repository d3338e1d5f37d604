import type { CanUseTool, PermissionResult, PermissionUpdate } from '@anthropic-ai/claude-agent-sdk'
import {
  type ApprovalSubject,
  approvalIn,
  approvalQuestion,
  decisionOf,
  denialText,
  describeOutcome,
  notRunText,
  type Outcome,
  optionValue,
  PLAN_LABELS,
  planIn,
  type Question,
  type QuestionOption,
} from '@sandagent/core/internal'

/** What the binary tells about a tool call that needs permission. */
type PermissionRequest = Parameters<CanUseTool>[2]

/** The question for permission. It offers "Allow for this session" only if the binary says what that would allow. */
export function approvalQuestionFor(
  subject: ApprovalSubject,
  { suggestions = [], suppressAlwaysAllowRule = false, defaultToNo = false }: Partial<PermissionRequest>,
): Question {
  const isPlan = planIn(subject) !== undefined
  const offersSession = suggestions.length > 0 && !suppressAlwaysAllowRule && !isPlan
  const question = approvalQuestion(subject.toolName, {
    sessionScope: offersSession ? describeUpdates(suggestions) : undefined,
    denyFirst: defaultToNo,
  })
  return isPlan ? { ...question, options: question.options?.map(asPlanOption) } : question
}

const asPlanOption = (option: QuestionOption): QuestionOption =>
  decisionOf(optionValue(option)) === 'deny'
    ? { ...option, label: PLAN_LABELS.sendBack, description: 'Comments tell the agent what to change.' }
    : { ...option, label: PLAN_LABELS.accept }

/**
 * The result for the binary. Only a person's choice allows a call, with the model's input or as the person edited it. All else
 * denies it.
 */
export function permissionOf(
  outcome: Outcome,
  subject: ApprovalSubject & { input: Record<string, unknown> },
  suggestions: readonly PermissionUpdate[] = [],
): PermissionResult {
  const { toolName, input } = subject
  const { decision, note, input: edited } = approvalIn(outcome)
  switch (decision) {
    case 'allowOnce':
      return { behavior: 'allow', updatedInput: (edited ?? input) as typeof input }
    case 'allowSession':
      return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions.map(forSession) }
    case 'deny':
      return { behavior: 'deny', message: denialText(subject, note) }
  }
  const { kind, reason, asksBack } = outcome
  // A terminal declines where a page sends back.
  const isSentBack = planIn(subject) !== undefined && kind === 'declined' && !asksBack
  const message = isSentBack ? denialText(subject, reason) : notRunText(toolName, describeOutcome(outcome))
  return { behavior: 'deny', message }
}

/** A suggestion may name a settings file, which must not change. */
const forSession = (update: PermissionUpdate): PermissionUpdate => ({ ...update, destination: 'session' })

const describeUpdates = (updates: readonly PermissionUpdate[]): string =>
  `Until the session ends, without asking: ${updates.map(describeUpdate).join('; ')}`

function describeUpdate(update: PermissionUpdate): string {
  switch (update.type) {
    case 'addRules':
      return `${update.behavior} ${update.rules.map(({ toolName, ruleContent }) => (ruleContent ? `${toolName}(${ruleContent})` : toolName)).join(', ')}`
    case 'addDirectories':
      return `work in ${update.directories.join(', ')}`
    case 'setMode':
      return update.mode === 'acceptEdits' ? 'change files in the folders it works in' : `mode ${update.mode}`
    default:
      return JSON.stringify(update)
  }
}
