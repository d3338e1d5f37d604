import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { type Asker, type Clock, sleep } from '@sandagent/core/internal'

/** How long to wait for the message that names the subagent, in milliseconds. */
const MESSAGE_MS = 1_000

/** Finds the subagent that made a call. */
export interface Askers {
  /** Reads a message of the session. */
  note(message: SDKMessage): void
  /** `undefined` for the main agent. A subagent whose message is missing has no name. */
  of(toolCallId: string, agentId: string | undefined): Promise<Asker | undefined>
}

export function createAskers(clock: Clock): Askers {
  const known = new Map<string, Asker>()
  const onNoted = new Set<() => void>()

  return {
    note(message) {
      if (message.type !== 'assistant' || message.parent_tool_use_id === null) return
      const { subagent_type: agent, parent_tool_use_id: parentToolCallId } = message
      for (const block of message.message.content)
        if (block.type === 'tool_use') known.set(block.id, { ...(agent && { agent }), parentToolCallId })
      for (const listener of [...onNoted]) listener()
    },

    async of(toolCallId, agentId) {
      if (agentId === undefined) return undefined
      // The request may arrive before the message that names its subagent.
      const noted = new AbortController()
      const listener = (): void => {
        if (known.has(toolCallId)) noted.abort()
      }
      onNoted.add(listener)
      listener()
      await sleep(clock, MESSAGE_MS, noted.signal)
      onNoted.delete(listener)
      return known.get(toolCallId) ?? {}
    },
  }
}
