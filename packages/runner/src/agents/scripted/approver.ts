import {
  approvalIn,
  approvalQuestion,
  denialText,
  describeOutcome,
  editText,
  isObject,
  notRunText,
  reasonsOf,
} from '@sandagent/core/internal'
import type { AgentRun } from '../../run/agent.ts'
import { askInRun } from '../../run/ask-in-run.ts'

/** A command that a person must allow. */
interface Command {
  toolCallId: string
  toolName: string
  /** The program, and its arguments. */
  words: readonly string[]
  /** Why, in the agent's words. */
  reason?: string | undefined
  /** The scenario has words for a person who asks back. Default false. */
  takesQuestions?: boolean
}

/** What may run, and how a person changed it; or why nothing may. */
export type Verdict = { words: readonly string[]; changed?: string } | { refusal: string }

/** Asks whether a command may run. "Allow for this session" allows all commands of its program. */
export type Approver = (command: Command) => Promise<Verdict>

export function createApprover(run: AgentRun): Approver {
  const allowedPrograms = new Set<string>()
  return async ({ toolCallId, toolName, words, reason, takesQuestions }) => {
    const [program = ''] = words
    if (allowedPrograms.has(program)) return { words }
    const sessionScope = `Until the run ends, without asking: ${program}`
    const questions = [approvalQuestion(toolName, { sessionScope })]
    const why = reason && { reasons: reasonsOf({ agent: [reason] }) }
    const subject = { toolName, input: inputOf(words), ...why, editable: true as const, schema: SCHEMA }
    const call = { toolCallId, toolName, kind: 'approval', questions, subject } as const
    const outcome = await askInRun(run, { ...call, takesQuestions }, {})
    const { decision, note, input } = approvalIn(outcome)
    if (decision === 'deny') return { refusal: denialText(subject, note) }
    if (decision === undefined) return { refusal: notRunText(toolName, describeOutcome(outcome)) }
    if (decision === 'allowSession') allowedPrograms.add(program)
    if (input === undefined) return { words }
    const edited = wordsIn(input)
    return edited
      ? { words: edited, changed: editText(subject, input, note) }
      : { refusal: notRunText(toolName, 'The user changed its input to one that is no command.') }
  }
}

const SCHEMA = {
  type: 'object',
  properties: {
    command: { type: 'string', description: 'It runs without a shell. Spaces separate its words.' },
    args: { type: 'array', items: { type: 'string' } },
  },
  required: ['command'],
}

/** A command as people read it, or with its arguments apart where spaces could not tell them apart. */
export function inputOf(words: readonly string[]): { command: string; args?: string[] } {
  const [command = '', ...args] = words
  const isPlain = words.every((word) => word !== '' && !word.includes(' '))
  return isPlain ? { command: words.join(' ') } : { command, args }
}

/** The words of an input that {@link inputOf} could have made; `null` for any other. */
function wordsIn(input: unknown): string[] | null {
  if (!isObject(input) || typeof input.command !== 'string' || input.command.trim() === '') return null
  const { command, args } = input
  if (args === undefined) return command.split(' ').filter((word) => word !== '')
  return Array.isArray(args) && args.every((arg) => typeof arg === 'string') ? [command, ...args] : null
}
