import type { CanUseTool, PermissionResult, PermissionUpdate } from '@anthropic-ai/claude-agent-sdk'
import {
  approvalIn,
  approvalQuestion,
  denialText,
  describeOutcome,
  notRunText,
  type Outcome,
  type Question,
} from '@sandagent/core/internal'

/** What the binary tells about a tool call that needs permission. */
type PermissionRequest = Parameters<CanUseTool>[2]

/** The question for permission. It offers "Allow for this session" only if the binary says what that would allow. */
export function approvalQuestionFor(
  toolName: string,
  { suggestions = [], suppressAlwaysAllowRule = false, defaultToNo = false }: Partial<PermissionRequest>,
): Question {
  const offersSession = suggestions.length > 0 && !suppressAlwaysAllowRule
  return approvalQuestion(toolName, {
    sessionScope: offersSession ? describeUpdates(suggestions) : undefined,
    denyFirst: defaultToNo,
  })
}

/** The result for the binary. Only a person's choice allows a call, with the model's input or as the person edited it. All else denies it. */
export function permissionOf(
  outcome: Outcome,
  toolName: string,
  input: Record<string, unknown>,
  suggestions: readonly PermissionUpdate[] = [],
): PermissionResult {
  const { decision, note, input: edited } = approvalIn(outcome)
  switch (decision) {
    case 'allowOnce':
      return { behavior: 'allow', updatedInput: (edited ?? input) as typeof input }
    case 'allowSession':
      return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions.map(forSession) }
    case 'deny':
      return { behavior: 'deny', message: denialText(toolName, note) }
    default:
      return { behavior: 'deny', message: notRunText(toolName, describeOutcome(outcome)) }
  }
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
