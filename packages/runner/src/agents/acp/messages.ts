import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import { TextWriter } from '../../run/text-writer.ts'
import type { UiStream } from '../../run/ui-stream.ts'
import type { AcpCalls } from './calls.ts'

/** Shows messages, thoughts and tool calls of a session, in the order in which they come. */
export class AcpMessages {
  readonly #texts: TextWriter
  readonly #calls: AcpCalls

  constructor(ui: UiStream, calls: AcpCalls) {
    this.#texts = new TextWriter(ui)
    this.#calls = calls
  }

  async take(update: SessionUpdate): Promise<void> {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#texts.add('text', textOf(update.content), update.messageId ?? undefined)
      case 'agent_thought_chunk':
        return this.#texts.add('reasoning', textOf(update.content), update.messageId ?? undefined)
      case 'tool_call':
      case 'tool_call_update':
        await this.end()
        return this.#calls.take(update)
    }
  }

  /** Ends the open text. */
  end(): Promise<void> {
    return this.#texts.end()
  }
}

const textOf = (content: ContentBlock): string =>
  content.type === 'text' ? content.text : `[${content.type}]`
