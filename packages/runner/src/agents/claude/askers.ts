import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { type Asker, type Clock, sleep } from '@sandagent/core/internal'

/** How long to wait for the message that names the subagent, in milliseconds. */
const MESSAGE_MS = 1_000

/** Finds the subagent that made a call. */
export class Askers {
  readonly #clock: Clock
  readonly #known = new Map<string, Asker>()
  readonly #awaited = new Map<string, AbortController>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Reads a message of the session. */
  note(message: SDKMessage): void {
    if (message.type !== 'assistant' || message.parent_tool_use_id === null) return
    const { subagent_type: agent, parent_tool_use_id: parentToolCallId } = message
    for (const block of message.message.content) {
      if (block.type !== 'tool_use') continue
      this.#known.set(block.id, { ...(agent && { agent }), parentToolCallId })
      this.#awaited.get(block.id)?.abort()
    }
  }

  /** `undefined` for the main agent. A subagent whose message is missing has no name. */
  async of(toolCallId: string, agentId: string | undefined): Promise<Asker | undefined> {
    if (agentId === undefined) return undefined
    // The request may arrive before the message that names its subagent.
    if (!this.#known.has(toolCallId)) {
      const noted = this.#awaited.get(toolCallId) ?? new AbortController()
      this.#awaited.set(toolCallId, noted)
      await sleep(this.#clock, MESSAGE_MS, noted.signal)
    }
    return this.#known.get(toolCallId) ?? {}
  }
}
