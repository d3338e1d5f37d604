import type { SDKResultMessage, SDKSystemMessage } from '@anthropic-ai/claude-agent-sdk'

/** The metadata of a message: facts about the session of Claude. */
export interface ClaudeFacts {
  /** For `resume`. */
  sessionId: string
  model?: string
  /** Tokens of the main conversation. */
  usage?: { inputTokens: number; outputTokens: number; totalTokens: number; cachedInputTokens: number }
  /** An estimate, in US dollars. */
  costUsd?: number
  durationMs?: number
  /** The open question that ended the run. */
  deferred?: { toolCallId: string }
}

export const sessionFacts = ({ session_id, model }: SDKSystemMessage): ClaudeFacts => ({
  sessionId: session_id,
  model,
})

export function resultFacts(result: SDKResultMessage): ClaudeFacts {
  const { session_id, usage, total_cost_usd, duration_ms } = result
  const deferred = result.subtype === 'success' ? result.deferred_tool_use : undefined
  const cachedInputTokens = usage.cache_read_input_tokens
  const inputTokens = usage.input_tokens + usage.cache_creation_input_tokens + cachedInputTokens
  return {
    sessionId: session_id,
    usage: {
      inputTokens,
      outputTokens: usage.output_tokens,
      totalTokens: inputTokens + usage.output_tokens,
      cachedInputTokens,
    },
    costUsd: total_cost_usd,
    durationMs: duration_ms,
    ...(deferred && { deferred: { toolCallId: deferred.id } }),
  }
}
