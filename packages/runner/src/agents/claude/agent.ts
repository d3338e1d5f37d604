import type { Options } from '@anthropic-ai/claude-agent-sdk'
import { CLAUDE_TOOL, CLAUDE_UNANSWERED_CAPABILITY } from '@sandagent/core/dialects/claude'
import { AskError, checkOptions, type OptionNames, systemClock } from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import type { Agent, AgentRun } from '../../run/agent.ts'
import { CallWriter } from '../../run/call-writer.ts'
import { loadPackage } from '../../run/load-package.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import { noteLastAskedBack } from './asked-back.ts'
import { Askers } from './askers.ts'
import { askingBy, createAskingOptions } from './asking-options.ts'
import { deferHook } from './defer.ts'
import { createMessageWriter } from './messages.ts'
import { ClaudeQuestions } from './questions.ts'
import { holdSession } from './session.ts'
import { askAgain, unansweredCalls } from './unanswered-calls.ts'

export interface ClaudeAgentOptions {
  /** Default: that of Claude Code. */
  model?: string | undefined
  /** Default: that of Claude Code. */
  systemPrompt?: string | undefined
  /** Tools that run without permission, also as rules such as `Bash(git log:*)`. */
  allowedTools?: readonly string[] | undefined
  /** The session to go on with. If it has an open question, that is asked again, and the prompt may be empty. */
  resume?: string | undefined
  /** Nobody is there: the model cannot ask, and tools that need permission are denied. */
  unattended?: boolean | undefined
  /** Ends the run when a question has no answer after this time, in milliseconds. `resume` goes on with it. */
  deferAfterMs?: number | undefined
  /** MCP servers for the model, by name, as the SDK takes them. What they ask reaches a person, unless the run is unattended. */
  mcpServers?: Options['mcpServers']
}

const NAMES: OptionNames<ClaudeAgentOptions> = {
  model: true,
  systemPrompt: true,
  allowedTools: 'list',
  resume: true,
  unattended: true,
  deferAfterMs: true,
  mcpServers: true,
}

/**
 * Runs Claude Code as an agent. Install `@anthropic-ai/claude-agent-sdk` too. Settings files are not read: the agent may
 * write them, and their rules would overrule the user.
 *
 * The agent rejects when the SDK is missing, when the session is unknown or ends in an error, and with `INVALID_REQUEST`
 * when there is neither a prompt nor an open question.
 *
 * @throws AskError `INVALID_REQUEST` for unknown options.
 */
export function createClaudeAgent(options: ClaudeAgentOptions = {}): Agent {
  checkOptions('createClaudeAgent', options, NAMES)
  return async (run) => {
    const { ui, runId, signal, prompt } = run
    const { resume, unattended = false, deferAfterMs } = options
    const { query, getSessionMessages } = await loadSdk()
    const transcript = resume ? await getSessionMessages(resume, { dir: run.workdir }) : []
    const left = unansweredCalls(transcript)
    noteLastAskedBack(transcript, run)
    if (prompt.trim() === '' && (left.length === 0 || unattended))
      throw new AskError(
        'INVALID_REQUEST',
        'A prompt is missing, and no question is open to go on with. Say behind -- what the agent is to do',
      )

    const stop = new AbortController()
    const abort = (): void => stop.abort()
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()

    const calls = new CallWriter(ui)
    const askers = new Askers(systemClock)
    const questions = new ClaudeQuestions({
      ...run,
      signal: stop.signal,
      onAsked: (request) => showQuestion(calls, request),
    })
    const messages = createMessageWriter(ui, calls, async (toolCallId) => {
      const outcome = await questions.questionOutcome(toolCallId)
      if (outcome) await calls.end(toolCallId, toolResultOf(outcome))
      return outcome !== undefined
    })
    let sessionId = resume ?? runId
    let capabilities: readonly string[] = []
    const asking = askingBy(questions, {
      runId,
      askers,
      takesUnanswered: () => capabilities.includes(CLAUDE_UNANSWERED_CAPABILITY),
      sessionId: () => sessionId,
      onElicited: (outcome) => calls.end(outcome.toolCallId, toolResultOf(outcome)),
    })

    try {
      await holdSession({
        query,
        options: {
          ...queryOptions(run, options),
          abortController: stop,
          ...(unattended ? createAskingOptions({ runId }) : asking),
          ...(unattended && left.length === 0 && { disallowedTools: [CLAUDE_TOOL.name] }),
          ...(!unattended &&
            deferAfterMs !== undefined && {
              hooks: {
                ...asking.hooks,
                PreToolUse: [deferHook(questions, askers, runId, deferAfterMs)],
              },
            }),
        },
        async say(isMadeAgain) {
          if (left.length === 0 || unattended || (await isMadeAgain())) return prompt
          const answers = await askAgain(left, questions, calls, runId, deferAfterMs)
          return answers && [answers, prompt].filter((text) => text.trim() !== '').join('\n\n')
        },
        async onMessage(message) {
          askers.note(message)
          if (message.type === 'system' && message.subtype === 'init') {
            sessionId = message.session_id
            capabilities = message.capabilities ?? []
          }
          await messages.write(message)
        },
      })
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', abort)
      stop.abort()
      await questions.settled()
      await messages.end()
    }
  }
}

const queryOptions = (
  { workdir }: AgentRun,
  { model, systemPrompt, allowedTools, resume, mcpServers }: ClaudeAgentOptions,
): Options => ({
  cwd: workdir,
  settingSources: [],
  includePartialMessages: true,
  systemPrompt: systemPrompt ?? { type: 'preset', preset: 'claude_code' },
  ...(model !== undefined && { model }),
  // As settings: the SDK's own option warns at each name without a pattern.
  ...(allowedTools && { settings: { permissions: { allow: [...allowedTools] } } }),
  ...(resume !== undefined && { resume }),
  ...(mcpServers && { mcpServers }),
})

async function showQuestion(calls: CallWriter, { toolCallId, kind, questions }: AskRequest): Promise<void> {
  // A call that needs permission is shown when the model makes it.
  if (kind !== 'approval') await calls.show({ toolCallId, toolName: CLAUDE_TOOL.name, input: { questions } })
}

const loadSdk = () =>
  loadPackage(
    () => import('@anthropic-ai/claude-agent-sdk'),
    'The Claude agent needs its SDK: npm install @anthropic-ai/claude-agent-sdk',
  )
