import {
  AGENTRAIL_TOOL,
  type AgentRailRequest,
  type AgentRailResult,
  parseRequest,
  type WaitingForUserInput,
} from '@sandagent/core/dialects/agentrail'
import { checkOptions, type ToolSchema } from '@sandagent/core/internal'
import type { AskRegistry } from './registry.ts'

/** AgentRail's runtime turns this into the event `waiting_for_user_input`. */
export type WaitingForInput = AgentRailRequest & { type: 'waiting_for_input' }

export interface AgentRailToolOutput {
  /** For the model. */
  content: { type: 'text'; text: string }[]
  details: AgentRailResult
}

export interface AgentRailTool {
  name: string
  label: string
  description: string
  parameters: ToolSchema
  /** @throws UnansweredError when there is no answer; AskError for invalid parameters. */
  execute(
    toolCallId: string,
    params: unknown,
    signal?: AbortSignal,
    onUpdate?: unknown,
    onSignal?: (event: WaitingForInput) => void,
  ): Promise<AgentRailToolOutput>
}

export interface AgentRailToolOptions {
  /** Called for each waiting question, for runtimes other than AgentRail's. */
  onEvent?: ((event: WaitingForUserInput) => void) | undefined
}

/** AgentRail's tool `AskUserQuestion` for a session. */
export function createAskUserQuestionTool(
  sessionId: string,
  registry: AskRegistry,
  options: AgentRailToolOptions = {},
): AgentRailTool {
  checkOptions('createAskUserQuestionTool: its options', options, { onEvent: 'function' })
  const { onEvent } = options
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

export interface AgentRailCapability {
  type: 'ask-user'
  buildTools(context: { sessionId: string }): Promise<AgentRailTool[]>
}

/** A capability for AgentRail's profiles. */
export const askUserCapability = (registry: AskRegistry): AgentRailCapability => ({
  type: 'ask-user',
  buildTools: async ({ sessionId }) => [createAskUserQuestionTool(sessionId, registry)],
})
