import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import { CLAUDE_TOOL } from '@sandagent/core/dialects/claude'
import type { CallWriter, WholeCall } from '../../run/call-writer.ts'
import type { UiStream } from '../../run/ui-stream.ts'
import { resultFacts, sessionFacts } from './facts.ts'
import { createStepWriter } from './step.ts'

type AssistantMessage = Extract<SDKMessage, { type: 'assistant' }>
type UserMessage = Extract<SDKMessage, { type: 'user' }>
type Content = UserMessage['message']['content']
type ResultBlock = ReturnType<typeof resultsIn>[number]

/** Shows text, reasoning and tool calls of a session, tool calls of subagents too. */
export interface MessageWriter {
  write(message: SDKMessage): Promise<void>
  end(): Promise<void>
}

/** @param endQuestion ends the call of a question; `false` when no question has this id */
export function createMessageWriter(
  ui: UiStream,
  calls: CallWriter,
  endQuestion: (toolCallId: string) => Promise<boolean>,
): MessageWriter {
  const steps = createStepWriter(ui, calls)
  /** These calls are shown once their questions can be answered. */
  const questions = new Map<string, WholeCall>()

  const writeAssistant = async ({ message, parent_tool_use_id }: AssistantMessage): Promise<void> => {
    for (const block of message.content) {
      if (block.type === 'tool_use') {
        const call = { toolCallId: block.id, toolName: block.name, input: block.input }
        if (block.name === CLAUDE_TOOL.name) questions.set(block.id, call)
        else await calls.show(call)
      } else if (parent_tool_use_id === null && block.type === 'text') {
        await steps.takeWhole(message.id, 'text', block.text)
      } else if (parent_tool_use_id === null && block.type === 'thinking') {
        await steps.takeWhole(message.id, 'thinking', block.thinking)
      }
    }
  }

  const writeResults = async ({ message, tool_use_result }: UserMessage): Promise<void> => {
    const results = resultsIn(message.content)
    for (const result of results) {
      const { tool_use_id: toolCallId, content, is_error } = result
      if (await endQuestion(toolCallId)) continue
      const unasked = questions.get(toolCallId)
      if (unasked) await calls.show(unasked)
      const output = results.length === 1 && tool_use_result !== undefined ? tool_use_result : textOf(content)
      await calls.end(toolCallId, is_error ? { errorText: textOf(content) } : { output })
    }
  }

  return {
    end: steps.end,
    async write(message) {
      switch (message.type) {
        case 'stream_event':
          return message.parent_tool_use_id === null ? steps.take(message.event) : undefined
        case 'assistant':
          return writeAssistant(message)
        case 'user':
          return writeResults(message)
        case 'system':
          return message.subtype === 'init' ? ui.metadata(sessionFacts(message)) : undefined
        case 'result':
          return ui.metadata(resultFacts(message))
      }
    },
  }
}

const resultsIn = (content: Content) =>
  typeof content === 'string' ? [] : content.flatMap((block) => (block.type === 'tool_result' ? [block] : []))

const textOf = (content: ResultBlock['content'] = ''): string =>
  typeof content === 'string'
    ? content
    : content.map((block) => (block.type === 'text' ? block.text : `[${block.type}]`)).join('\n')
