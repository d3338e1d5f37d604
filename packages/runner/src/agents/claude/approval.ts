import type { CanUseTool, PermissionResult, PermissionUpdate } from '@anthropic-ai/claude-agent-sdk'
import { describeOutcome, type Outcome, type Question, responseTo } from '@sandagent/core/internal'

/** What the binary says of a tool call that needs a permission. */
type PermissionRequest = Parameters<CanUseTool>[2]

const ALLOW_ONCE = 'allow-once'
const ALLOW_SESSION = 'allow-session'
const DENY = 'deny'

/**
 * The question for a permission to use a tool. "Allow for this session" is there when the binary says what that would
 * allow; it says nothing for commands that no rule can cover.
 */
export function approvalQuestion(
  toolName: string,
  { suggestions = [], suppressAlwaysAllowRule = false, defaultToNo = false }: Partial<PermissionRequest>,
): Question {
  const offersSession = suggestions.length > 0 && !suppressAlwaysAllowRule
  const options = [
    { value: ALLOW_ONCE, label: 'Allow once' },
    ...(offersSession
      ? [{ value: ALLOW_SESSION, label: 'Allow for this session', description: describeUpdates(suggestions) }]
      : []),
    { value: DENY, label: 'Deny', description: 'A note tells the agent why.' },
  ]
  return {
    id: 'permission',
    question: `May the agent use ${toolName}?`,
    header: 'Permission',
    options: defaultToNo ? options.reverse() : options,
    allowFreeText: false,
  }
}

/**
 * What the binary is told. Only a person's own choice allows a call, which then runs with the input that the model
 * gave it; whatever else happened denies it.
 */
export function permissionOf(
  outcome: Outcome,
  toolName: string,
  input: Record<string, unknown>,
  suggestions: readonly PermissionUpdate[] = [],
): PermissionResult {
  const { choice, reason } = decisionIn(outcome)
  if (choice === ALLOW_ONCE) return { behavior: 'allow', updatedInput: input }
  if (choice === ALLOW_SESSION)
    return { behavior: 'allow', updatedInput: input, updatedPermissions: suggestions.map(forSession) }
  return {
    behavior: 'deny',
    message: `${toolName} was not run. ${choice === DENY ? deniedBecause(reason) : describeOutcome(outcome)}`,
  }
}

function decisionIn({ kind, questions, responses }: Outcome): {
  choice?: string | undefined
  reason?: string | undefined
} {
  const [question] = questions
  const response = question && responseTo(responses, question)
  if (kind !== 'answered' || response === undefined || 'skipped' in response) return {}
  return response.source === 'human' ? { choice: response.selected[0], reason: response.notes?.trim() } : {}
}

const deniedBecause = (reason: string | undefined): string =>
  `The user denied it${reason ? `, saying ${JSON.stringify(reason)}` : ''}. Do not try to reach the same in another way; go on without it, or stop and say what you need.`

/** Suggestions may name a settings file, where they would outlive the session. */
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
