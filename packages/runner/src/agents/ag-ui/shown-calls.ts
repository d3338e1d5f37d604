import type { AgentSubscriber, Message } from '@ag-ui/client'
import { digestOf, jsonOrText } from '@sandagent/core/internal'
import { CallWriter } from '../../run/call-writer.ts'
import type { UiStream } from '../../run/ui-stream.ts'

/** A tool call of the agent, as it is shown here. */
export interface ShownCall {
  /** Its id here. */
  id: string
  toolName: string
  input: unknown
}

/** Shows what an agent says and does, and knows its tool calls. */
export class ShownCalls {
  readonly writer: CallWriter
  readonly #ui: UiStream
  readonly #calls = new Map<string, ShownCall>()
  readonly #texts = new Map<string, string>()
  readonly #refused = new Set<string>()

  constructor(ui: UiStream) {
    this.#ui = ui
    this.writer = new CallWriter(ui)
  }

  /** Ends a call that may not run. What the agent says of it afterwards is that it was refused. */
  async refuse(id: string, errorText: string): Promise<void> {
    this.#refused.add(id)
    await this.writer.end(id, { errorText })
  }

  /** The call as the agent's messages have it, shown if it was not. `undefined` if nobody told it. */
  async find(
    toolCallId: string | undefined,
    prefix: string,
    messages: readonly Readonly<Message>[],
  ): Promise<ShownCall | undefined> {
    if (toolCallId === undefined) return undefined
    const shown = this.#calls.get(toolCallId)
    if (shown) return shown
    const made = callIn(messages, toolCallId)
    if (!made) return undefined
    const call = { id: idOf(`${prefix}-call`, toolCallId), ...made }
    this.#calls.set(toolCallId, call)
    await this.writer.show({ toolCallId: call.id, toolName: call.toolName, input: call.input })
    return call
  }

  /** For one request to the agent. The ids of its calls begin with the prefix. */
  subscriber(prefix: string): AgentSubscriber {
    const ui = this.#ui
    const silent = new Set<string>()
    return {
      async onTextMessageStartEvent({ event: { messageId, role = 'assistant' } }) {
        if (role === 'assistant') await ui.textStart(messageId)
        else silent.add(messageId)
      },
      async onTextMessageContentEvent({ event: { messageId, delta } }) {
        if (!silent.has(messageId)) await ui.textDelta(messageId, delta)
      },
      async onTextMessageEndEvent({ event: { messageId } }) {
        if (!silent.has(messageId)) await ui.textEnd(messageId)
      },
      onReasoningMessageStartEvent: ({ event }) => ui.reasoningStart(event.messageId),
      onReasoningMessageContentEvent: ({ event }) => ui.reasoningDelta(event.messageId, event.delta),
      onReasoningMessageEndEvent: ({ event }) => ui.reasoningEnd(event.messageId),
      onToolCallStartEvent: async ({ event: { toolCallId, toolCallName: toolName } }) => {
        const call = { id: idOf(`${prefix}-call`, toolCallId), toolName, input: undefined }
        this.#calls.set(toolCallId, call)
        this.#texts.set(toolCallId, '')
        await this.writer.start({ toolCallId: call.id, toolName })
      },
      onToolCallArgsEvent: async ({ event: { toolCallId, delta } }) => {
        this.#texts.set(toolCallId, (this.#texts.get(toolCallId) ?? '') + delta)
        const call = this.#calls.get(toolCallId)
        if (call) await this.writer.piece(call.id, delta)
      },
      onToolCallEndEvent: async ({ event: { toolCallId } }) => {
        const call = this.#calls.get(toolCallId)
        if (!call) return
        call.input = jsonOrText(this.#texts.get(toolCallId) ?? '')
        await this.writer.show({ toolCallId: call.id, toolName: call.toolName, input: call.input })
      },
      onToolCallResultEvent: async ({ event: { toolCallId, content }, messages }) => {
        const call = await this.find(toolCallId, prefix, messages)
        if (!call || this.#refused.has(call.id)) return
        await this.writer.end(call.id, {
          output: typeof content === 'string' ? jsonOrText(content) : content,
        })
      },
    }
  }
}

/** How long a foreign id may be as a part of ours. */
const MOST_ID_CHARS = 200

/** An id that begins with the prefix: agents choose theirs freely, and other runs could have the same. */
export const idOf = (prefix: string, foreign: string): string =>
  `${prefix}-${foreign.length > MOST_ID_CHARS ? digestOf(foreign) : foreign}`

function callIn(
  messages: readonly Readonly<Message>[],
  toolCallId: string,
): Omit<ShownCall, 'id'> | undefined {
  for (const message of messages) {
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : []
    const made = calls.find(({ id }) => id === toolCallId)
    if (made) return { toolName: made.function.name, input: jsonOrText(made.function.arguments) }
  }
  return undefined
}
