import type { ContentBlock, SessionUpdate } from '@agentclientprotocol/sdk'
import type { UiStream } from '../../run/ui-stream.ts'
import type { AcpCalls } from './calls.ts'

type Kind = 'text' | 'reasoning'

/** Shows messages, thoughts and tool calls of a session, in the order in which they come. */
export class AcpMessages {
  readonly #ui: UiStream
  readonly #calls: AcpCalls
  #open: { kind: Kind; id: string; messageId: string | undefined } | null = null
  #count = 0

  constructor(ui: UiStream, calls: AcpCalls) {
    this.#ui = ui
    this.#calls = calls
  }

  async take(update: SessionUpdate): Promise<void> {
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return this.#add('text', update.content, update.messageId ?? undefined)
      case 'agent_thought_chunk':
        return this.#add('reasoning', update.content, update.messageId ?? undefined)
      case 'tool_call':
      case 'tool_call_update':
        await this.end()
        return this.#calls.take(update)
    }
  }

  /** Ends the open text. */
  async end(): Promise<void> {
    const open = this.#open
    this.#open = null
    if (open) await (open.kind === 'text' ? this.#ui.textEnd(open.id) : this.#ui.reasoningEnd(open.id))
  }

  async #add(kind: Kind, content: ContentBlock, messageId: string | undefined): Promise<void> {
    const text = content.type === 'text' ? content.text : `[${content.type}]`
    if (text === '') return
    if (this.#open?.kind !== kind || this.#open.messageId !== messageId) {
      await this.end()
      this.#open = { kind, id: `${kind}-${++this.#count}`, messageId }
      await (kind === 'text' ? this.#ui.textStart(this.#open.id) : this.#ui.reasoningStart(this.#open.id))
    }
    await (kind === 'text'
      ? this.#ui.textDelta(this.#open.id, text)
      : this.#ui.reasoningDelta(this.#open.id, text))
  }
}
