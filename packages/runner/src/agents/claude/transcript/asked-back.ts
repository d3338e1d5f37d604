import type { SessionMessage } from '@anthropic-ai/claude-agent-sdk'
import { CLAUDE_TOOL } from '@sandagent/core/dialects/claude'
import { questionAskedBack } from '@sandagent/core/internal'
import { noteAskedBack } from '../../../ask/asked-back.ts'
import type { AgentRun } from '../../../run/agent.ts'

/** A part of a message that says something here. */
type Block =
  | { type: 'text'; text: string }
  | { type: 'tool_use'; id: string; name: string }
  | { type: 'tool_result'; tool_use_id: string; content: unknown }

/** Finds in the transcript of a session what a person asked back: the process before, which knew it, is gone. */
export function noteLastAskedBack(
  transcript: readonly SessionMessage[],
  { channel, runId }: Pick<AgentRun, 'channel' | 'runId'>,
): void {
  const names = new Map<string, string>()
  let last: { toolCallId: string; toolName: string; question: string; said: string } | null = null
  for (const { type, message } of transcript) {
    const { content } = message as { content?: unknown }
    for (const block of Array.isArray(content) ? (content as (Block | null)[]) : []) {
      if (block?.type === 'tool_use') {
        names.set(block.id, block.name)
        // It was asked again.
        if (block.name === last?.toolName) last = null
      } else if (block?.type === 'tool_result') {
        const { tool_use_id: toolCallId } = block
        const toolName = names.get(toolCallId)
        const question = questionAskedBack(textOf(block.content))
        if (toolName && question) last = { toolCallId, toolName, question, said: '' }
      } else if (block?.type === 'text' && last && type === 'assistant') last.said += `${block.text}\n\n`
    }
  }
  if (!last) return
  const { question, said, ...call } = last
  const kind = call.toolName === CLAUDE_TOOL.name ? 'question' : 'approval'
  noteAskedBack(channel, { ...call, kind, runId }, question, said)
}

/** The text of a result: a string, or blocks of text. */
const textOf = (content: unknown): string =>
  Array.isArray(content) ? content.map((part) => String(part?.text ?? '')).join('\n') : String(content)
