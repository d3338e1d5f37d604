import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { describeOutcome, type Outcome } from '@sandagent/core'
import { CLAUDE_ASK_TOOL } from '@sandagent/core/dialects/claude'

/** A call of Claude's question tool. */
export interface QuestionCall {
  toolCallId: string
  input: unknown
}

/** The questions in the model's last message that have no result: the run was deferred there, or broke off. */
export function questionsLeftOpen(transcript: readonly SessionMessage[]): QuestionCall[] {
  const open = new Map<string, QuestionCall>()
  let last: string | undefined
  for (const { type, message } of transcript) {
    const { id, content } = message as { id?: string; content?: unknown }
    if (type === 'assistant' && id !== last) {
      last = id
      open.clear()
    }
    for (const block of Array.isArray(content) ? (content as Block[]) : []) {
      if (block.type === 'tool_use' && block.name === CLAUDE_ASK_TOOL)
        open.set(block.id, { toolCallId: block.id, input: block.input })
      if (block.type === 'tool_result') open.delete(block.tool_use_id)
    }
  }
  return [...open.values()]
}

/** The blocks of a message that count here. */
type Block =
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string }

/** Tells the model how the questions ended at which its session broke off: there is no call left to answer. */
export const tellOutcomes = (outcomes: readonly Outcome[]): string =>
  ['The session broke off while you waited for the user.', ...outcomes.map(describeOutcome)].join('\n\n')
