import type { Options } from '@anthropic-ai/claude-agent-sdk'
import type { Outcome, RunnerChannel } from '@sandagent/core'
import { checkOptions, type OptionNames } from '@sandagent/core/internal'
import type { Askers } from './askers.ts'
import { ClaudeEdits } from './edits.ts'
import { elicitationsBy } from './elicitations.ts'
import { canUseToolBy, denial } from './permission.ts'
import { ClaudeQuestions, type ClaudeQuestionsOptions } from './questions.ts'

/** The options of a `query()` by which what is asked reaches a person. */
export type AskingOptions = Pick<Options, 'canUseTool' | 'onElicitation' | 'hooks' | 'toolConfig'>

export interface AskingSettings extends Omit<ClaudeQuestionsOptions, 'channel' | 'onAsked' | 'signal'> {
  /** Without it, everything that needs a person is denied at once. */
  channel?: RunnerChannel | undefined
  runId: string
  /** Whether the session's init message lists `ask_user_question_unanswered_v1`. Default false. */
  takesUnanswered?: (() => boolean) | undefined
}

const NAMES: OptionNames<AskingSettings> = {
  channel: true,
  runId: true,
  takesUnanswered: 'function',
  timeoutMs: true,
  timeoutPolicy: true,
  clock: 'clock',
  onWarning: 'function',
}

/**
 * Makes options for a `query()` of your own: its model's questions, permissions for its tools, and what its MCP servers ask.
 * Hooks of yours go beside those of the result.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options.
 */
export function createAskingOptions(settings: AskingSettings): AskingOptions {
  checkOptions('createAskingOptions', settings, NAMES)
  const { channel, runId, takesUnanswered, ...options } = settings
  if (!channel) return { canUseTool: async (toolName) => denial(toolName) }
  const questions = new ClaudeQuestions({ channel, ...options })
  return askingBy(questions, { runId, takesUnanswered, sessionId: () => runId })
}

export function askingBy(
  questions: ClaudeQuestions,
  settings: {
    runId: string
    takesUnanswered?: (() => boolean) | undefined
    /** Without it, a subagent has no name. */
    askers?: Askers
    sessionId: () => string
    /** Called when what an MCP server asked has ended. */
    onElicited?: (outcome: Outcome) => Promise<void>
  },
): AskingOptions {
  const edits = new ClaudeEdits()
  return {
    canUseTool: canUseToolBy(questions, { ...settings, edits }),
    onElicitation: elicitationsBy(questions, settings),
    hooks: edits.hooks,
    // A person may answer in a terminal or a chat: those show no HTML. Without this the model is not told of previews.
    toolConfig: { askUserQuestion: { previewFormat: 'markdown' } },
  }
}
