import { type AGUIEvent, EventType } from '@ag-ui/core'

/** A chunk of a UI message stream of the AI SDK, as far as it is read. */
export type Chunk = { type: string } & Readonly<Record<string, unknown>>

/** How the stream ended. */
export type Ending = { kind: 'finished' } | { kind: 'stopped' } | { kind: 'failed'; message: string }

interface Open {
  kind: 'text' | 'reasoning'
  /** Its id as AG-UI has it. */
  messageId: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/**
 * Translates the chunks of one reply. Its ids follow from the place of a chunk: whoever reads the reply again gets the same
 * messages.
 */
export class ToEvents {
  #count = 0
  #message = 'message'
  readonly #open = new Map<string, Open>()
  readonly #inputs = new Set<string>()
  readonly #calls = new Set<string>()

  /** How many chunks were read. */
  get count(): number {
    return this.#count
  }

  /** Whether a tool call was told, with its input. */
  has(toolCallId: string): boolean {
    return this.#calls.has(toolCallId) && !this.#inputs.has(toolCallId)
  }

  read(chunk: Chunk): { events: AGUIEvent[]; ending?: Ending } {
    this.#count++
    switch (chunk.type) {
      case 'start':
        this.#message = text(chunk.messageId) || this.#message
        return { events: [] }
      case 'error':
        return { events: [], ending: { kind: 'failed', message: text(chunk.errorText) } }
      case 'abort':
        return { events: [], ending: { kind: 'stopped' } }
      case 'finish':
        return { events: [], ending: { kind: 'finished' } }
      default:
        return { events: this.#eventsOf(chunk) }
    }
  }

  #eventsOf(chunk: Chunk): AGUIEvent[] {
    const toolCallId = text(chunk.toolCallId)
    switch (chunk.type) {
      case 'text-delta':
        return this.#delta('text', text(chunk.id), text(chunk.delta))
      case 'reasoning-delta':
        return this.#delta('reasoning', text(chunk.id), text(chunk.delta))
      case 'text-end':
        return this.#end(`text ${text(chunk.id)}`)
      case 'reasoning-end':
        return this.#end(`reasoning ${text(chunk.id)}`)
      case 'tool-input-start':
        return this.#startCall(toolCallId, text(chunk.toolName))
      case 'tool-input-delta':
        if (!this.#inputs.has(toolCallId)) return []
        return [{ type: EventType.TOOL_CALL_ARGS, toolCallId, delta: text(chunk.inputTextDelta) }]
      case 'tool-input-available':
      case 'tool-input-error':
        return this.#endCall(toolCallId, text(chunk.toolName), chunk.input)
      case 'tool-output-available':
        return chunk.preliminary === true ? [] : this.#result(toolCallId, chunk.output)
      case 'tool-output-error':
        return this.#result(toolCallId, text(chunk.errorText))
      default:
        return chunk.type.startsWith('data-')
          ? [{ type: EventType.CUSTOM, name: chunk.type.slice('data-'.length), value: chunk.data ?? null }]
          : []
    }
  }

  /** Ends whatever is open. A part that goes on later begins again under another id. */
  closeAll(): AGUIEvent[] {
    const parts = [...this.#open.keys()].flatMap((key) => this.#end(key))
    const calls = [...this.#inputs].map((toolCallId) => endOf(toolCallId))
    this.#inputs.clear()
    return [...parts, ...calls]
  }

  #delta(kind: Open['kind'], id: string, delta: string): AGUIEvent[] {
    if (delta === '') return []
    const key = `${kind} ${id}`
    const known = this.#open.get(key)
    const { messageId } = known ?? { messageId: `${this.#message}-${this.#count}` }
    if (!known) this.#open.set(key, { kind, messageId })
    if (kind === 'text')
      return [
        ...(known ? [] : [{ type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' } as const]),
        { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta },
      ]
    return [
      ...(known
        ? []
        : ([
            { type: EventType.REASONING_START, messageId },
            { type: EventType.REASONING_MESSAGE_START, messageId, role: 'reasoning' },
          ] as const)),
      { type: EventType.REASONING_MESSAGE_CONTENT, messageId, delta },
    ]
  }

  #end(key: string): AGUIEvent[] {
    const part = this.#open.get(key)
    if (!part) return []
    this.#open.delete(key)
    const { kind, messageId } = part
    if (kind === 'text') return [{ type: EventType.TEXT_MESSAGE_END, messageId }]
    return [
      { type: EventType.REASONING_MESSAGE_END, messageId },
      { type: EventType.REASONING_END, messageId },
    ]
  }

  #startCall(toolCallId: string, toolCallName: string): AGUIEvent[] {
    if (this.#calls.has(toolCallId)) return []
    this.#calls.add(toolCallId)
    this.#inputs.add(toolCallId)
    return [{ type: EventType.TOOL_CALL_START, toolCallId, toolCallName }]
  }

  #endCall(toolCallId: string, toolCallName: string, input: unknown): AGUIEvent[] {
    const start = this.#startCall(toolCallId, toolCallName)
    if (!this.#inputs.delete(toolCallId)) return [] // It is told again.
    const delta = JSON.stringify(input ?? {})
    const args = start.length > 0 ? [{ type: EventType.TOOL_CALL_ARGS, toolCallId, delta } as const] : []
    return [...start, ...args, endOf(toolCallId)]
  }

  #result(toolCallId: string, output: unknown): AGUIEvent[] {
    const content = typeof output === 'string' ? output : JSON.stringify(output ?? null)
    return [{ type: EventType.TOOL_CALL_RESULT, messageId: `result-${toolCallId}`, toolCallId, content }]
  }
}

const endOf = (toolCallId: string): AGUIEvent => ({ type: EventType.TOOL_CALL_END, toolCallId })
