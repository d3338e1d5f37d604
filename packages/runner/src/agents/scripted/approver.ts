import {
  approvalIn,
  approvalQuestion,
  denialText,
  describeOutcome,
  notRunText,
} from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'

/** A command that a person must allow. */
interface Command {
  toolCallId: string
  toolName: string
  input: object
  /** "Allow for this session" allows all commands of this program. */
  program: string
}

/** Asks whether a command may run. Resolves to the reason why it may not, or to `null`. */
export type Approver = (command: Command) => Promise<string | null>

export function createApprover(run: AgentRun): Approver {
  const allowedPrograms = new Set<string>()
  return async ({ toolCallId, toolName, input, program }) => {
    if (allowedPrograms.has(program)) return null
    const sessionScope = `Until the run ends, without asking: ${program}`
    const questions = [approvalQuestion(toolName, { sessionScope })]
    const request = {
      toolCallId,
      toolName,
      kind: 'approval',
      questions,
      subject: { toolName, input },
    } as const
    const outcome = await askInRun(run, request, {})
    const { decision, note } = approvalIn(outcome)
    if (decision === 'allowSession') allowedPrograms.add(program)
    if (decision === 'allowSession' || decision === 'allowOnce') return null
    return decision === 'deny' ? denialText(toolName, note) : notRunText(toolName, describeOutcome(outcome))
  }
}
