import {
  AGENTRAIL_TOOL,
  type AgentRailRequest,
  type AgentRailResult,
  parseRequest,
  type WaitingForUserInput,
} from '@sandagent/core/dialects/agentrail'
import type { ToolSchema } from '@sandagent/core/internal'
import type { AskRegistry } from './registry.ts'

/** What AgentRail's runtime is told of a question; it makes the event `waiting_for_user_input` of it. */
export type WaitingForInput = AgentRailRequest & { type: 'waiting_for_input' }

/** What the tool gives AgentRail's runtime. */
export interface AgentRailToolOutput {
  /** For the model. */
  content: { type: 'text'; text: string }[]
  details: AgentRailResult
}

/** A tool as AgentRail's runtime takes it. */
export interface AgentRailTool {
  name: string
  label: string
  description: string
  parameters: ToolSchema
  /**
   * Asks and waits.
   *
   * @throws UnansweredError when there is no answer; AskError for parameters that cannot be asked.
   */
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: unknown,
    onSignal?: (event: WaitingForInput) => void,
  ): Promise<AgentRailToolOutput>
}

export interface AgentRailToolOptions {
  /** Told of each question that waits, for runtimes other than AgentRail's. */
  onEvent?: ((event: WaitingForUserInput) => void) | undefined
}

/** AgentRail's `AskUserQuestion` for a session, over a registry of `createAskRegistry`. */
export function createAskUserQuestionTool(
  sessionId: string,
  registry: AskRegistry,
  { onEvent }: AgentRailToolOptions = {},
): AgentRailTool {
  const { name, description, inputSchema } = AGENTRAIL_TOOL
  return {
    name,
    label: 'Ask the user',
    description,
    parameters: inputSchema,
    async execute(toolCallId, request, signal, _onUpdate, onSignal) {
      const question = parseRequest(request)[0]?.question ?? ''
      const onWaiting = (event: WaitingForUserInput): void => {
        onEvent?.(event)
        const { toolCallId: _, ...asked } = event
        onSignal?.({ ...asked, type: 'waiting_for_input' })
      }
      const answer = await registry.register(sessionId, question, { toolCallId, request, signal, onWaiting })
      return { content: [{ type: 'text', text: answer }], details: { question, answer } }
    },
  }
}

/** A capability as AgentRail's profiles take it. */
export interface AgentRailCapability {
  type: 'ask-user'
  buildTools(context: { sessionId: string }): Promise<AgentRailTool[]>
}

/** AgentRail's capability to ask the user, over a registry of `createAskRegistry`. */
export const askUserCapability = (registry: AskRegistry): AgentRailCapability => ({
  type: 'ask-user',
  buildTools: async ({ sessionId }) => [createAskUserQuestionTool(sessionId, registry)],
})
