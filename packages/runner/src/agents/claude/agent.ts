import type { Options } from '@anthropic-ai/claude-agent-sdk'
import { CLAUDE_TOOL, CLAUDE_UNANSWERED_CAPABILITY } from '@sandagent/core/dialects/claude'
import { AskError, checkOptions, invalid, type OptionNames, systemClock } from '@sandagent/core/internal'
import type { AskRequest } from '../../ask/ask-request.ts'
import type { Agent, AgentRun } from '../../run/agent.ts'
import { CallWriter } from '../../run/call-writer.ts'
import { loadPackage } from '../../run/load-package.ts'
import { toolResultOf } from '../../run/tool-result.ts'
import { Askers } from './askers.ts'
import { askingBy, createAskingOptions } from './asking-options.ts'
import { deferHook } from './defer.ts'
import { createMessageWriter } from './messages.ts'
import { ClaudeQuestions } from './questions.ts'
import { holdSession } from './session.ts'
import { ClaudeTickets, TICKET_SERVER } from './tickets.ts'
import { noteLastAskedBack } from './transcript/asked-back.ts'
import { askAgain, unansweredCalls } from './transcript/unanswered-calls.ts'

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
  /**
   * MCP servers for the model, by name, as the SDK takes them. What they ask reaches a person, unless the run is unattended.
   */
  mcpServers?: Options['mcpServers']
  /**
   * Whether the model may ask without waiting, by a tool of its own (`mcp__questions__ask_user_question`). The answer comes as
   * a message of the user, and the run stays until then. It needs `@modelcontextprotocol/server`. Default false.
   */
  tickets?: boolean | undefined
}

const NAMES: OptionNames<ClaudeAgentOptions> = {
  model: true,
  systemPrompt: true,
  allowedTools: 'list',
  resume: true,
  unattended: true,
  deferAfterMs: true,
  mcpServers: true,
  tickets: true,
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
  if (options.tickets && options.mcpServers?.[TICKET_SERVER])
    throw invalid('INVALID_REQUEST', 'createClaudeAgent: its options', [
      {
        path: `mcpServers.${TICKET_SERVER}`,
        expected: 'another name: with tickets, the server of that name is the one that asks',
      },
    ])
  return async (run) => {
    const { ui, runId, signal, prompt } = run
    const { resume, unattended = false, deferAfterMs, mcpServers } = options
    const { query, getSessionMessages } = await loadSdk()
    const transcript = resume ? await getSessionMessages(resume, { dir: run.workdir }) : []
    const left = unansweredCalls(transcript)
    noteLastAskedBack(transcript, run)
    const stop = new AbortController()
    const calls = new CallWriter(ui)
    const tickets =
      options.tickets && !unattended
        ? new ClaudeTickets({
            run,
            signal: stop.signal,
            onEnded: (outcome) => calls.end(outcome.toolCallId, toolResultOf(outcome)),
            deferAfterMs,
          })
        : undefined
    await tickets?.resume(transcript)
    if (prompt.trim() === '' && !tickets?.isAwaited && (left.length === 0 || unattended))
      throw new AskError(
        'INVALID_REQUEST',
        'A prompt is missing, and no question is open to go on with. Say behind -- what the agent is to do',
      )

    const abort = (): void => stop.abort()
    signal.addEventListener('abort', abort)
    if (signal.aborted) abort()

    const askers = new Askers(systemClock)
    const questions = new ClaudeQuestions({
      ...run,
      signal: stop.signal,
      onAsked: (request) => showQuestion(calls, request),
    })
    const messages = createMessageWriter(ui, calls, async (toolCallId) => {
      if (tickets?.has(toolCallId)) return true
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
          ...(tickets && { mcpServers: { ...mcpServers, [TICKET_SERVER]: await tickets.server() } }),
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
        later: tickets,
      })
    } catch (error) {
      if (!signal.aborted) throw error
    } finally {
      signal.removeEventListener('abort', abort)
      stop.abort()
      await Promise.all([questions.settled(), tickets?.settled()])
      await messages.end()
    }
  }
}

const queryOptions = (
  { workdir }: AgentRun,
  { model, systemPrompt, allowedTools, resume, mcpServers, tickets }: ClaudeAgentOptions,
): Options => ({
  cwd: workdir,
  settingSources: [],
  includePartialMessages: true,
  systemPrompt: systemPrompt ?? { type: 'preset', preset: 'claude_code' },
  ...(model !== undefined && { model }),
  // As settings: the SDK's own option warns at each name without a pattern.
  ...((allowedTools || tickets) && {
    settings: {
      permissions: { allow: [...(allowedTools ?? []), ...(tickets ? [`mcp__${TICKET_SERVER}`] : [])] },
    },
  }),
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
