import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'

/** What the model reads before the answer to a question for which it did not wait. */
export const answerHeading = (ticket: string): string => `About the question with the ticket ${ticket}:`

interface Block {
  type: string
  id?: string
  name?: string
  text?: string
  input?: { blocking?: unknown; ticket?: unknown; action?: unknown } | null
}

/**
 * The tickets of a session whose answers its model has not read, because the run ended before.
 *
 * @param tools the names of the tools that ask and that check
 */
export function leftTickets(
  transcript: readonly SessionMessage[],
  tools: { ask: string; check: string },
): string[] {
  const left = new Set<string>()
  for (const { type, message } of transcript) {
    const { content } = message as { content?: unknown }
    const blocks: (Block | null)[] = Array.isArray(content)
      ? content
      : [{ type: 'text', text: String(content) }]
    for (const block of blocks) {
      if (
        block?.type === 'tool_use' &&
        block.id &&
        block.name === tools.ask &&
        block.input?.blocking === false
      )
        left.add(block.id)
      // It took its question back, and does not want to hear of it.
      if (block?.type === 'tool_use' && block.name === tools.check && block.input?.action === 'withdraw')
        left.delete(String(block.input.ticket))
      if (type === 'user' && block?.type === 'text')
        for (const ticket of left) if (block.text?.includes(answerHeading(ticket))) left.delete(ticket)
    }
  }
  return [...left]
}
