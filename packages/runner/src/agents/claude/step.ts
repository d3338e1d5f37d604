import type { SDKMessage } from '@anthropic-ai/claude-agent-sdk'
import type { CallWriter } from '../../run/call-writer.ts'
import type { UiStream } from '../../run/ui-stream.ts'

type StreamEvent = Extract<SDKMessage, { type: 'stream_event' }>['event']
type StartedBlock = Extract<StreamEvent, { type: 'content_block_start' }>['content_block']

/** Shows the model's stream. Each message is a step. */
export interface StepWriter {
  take(event: StreamEvent): Promise<void>
  /** Shows a whole text or thought, unless its message was streamed. */
  takeWhole(messageId: string, kind: 'text' | 'thinking', text: string): Promise<void>
  end(): Promise<void>
}

interface OpenBlock {
  /** Takes a piece of text, or of the input's JSON. */
  add(piece: string): Promise<void>
  end(): Promise<void>
}

export function createStepWriter(ui: UiStream, calls: CallWriter): StepWriter {
  const blocks = new Map<number, OpenBlock>()
  const streamed = new Set<string>()
  let current: string | null = null
  let count = 0

  const end = async (): Promise<void> => {
    for (const block of blocks.values()) await block.end()
    blocks.clear()
    if (current !== null) await ui.finishStep()
    current = null
  }

  const begin = async (messageId: string): Promise<void> => {
    await end()
    current = messageId
    await ui.startStep()
  }

  const textBlock = (kind: 'text' | 'thinking'): OpenBlock => {
    const id = `${current}-${++count}`
    const [start, delta, finish] =
      kind === 'text'
        ? [ui.textStart, ui.textDelta, ui.textEnd]
        : [ui.reasoningStart, ui.reasoningDelta, ui.reasoningEnd]
    let isStarted = false
    return {
      async add(piece) {
        // A block of hidden thoughts has no text.
        if (piece === '') return
        if (!isStarted) await start(id)
        isStarted = true
        await delta(id, piece)
      },
      async end() {
        if (isStarted) await finish(id)
      },
    }
  }

  const openBlock = async (started: StartedBlock): Promise<OpenBlock | null> => {
    if (started.type === 'text' || started.type === 'thinking') return textBlock(started.type)
    // Others, such as a search by the API, are not shown.
    if (started.type !== 'tool_use') return null
    const { id, name } = started
    await calls.start({ toolCallId: id, toolName: name })
    return { add: (piece) => calls.piece(id, piece), end: async () => {} }
  }

  return {
    end,
    async take(event) {
      if (event.type === 'message_start') {
        streamed.add(event.message.id)
        await begin(event.message.id)
      } else if (event.type === 'content_block_start') {
        const block = await openBlock(event.content_block)
        if (block) blocks.set(event.index, block)
      } else if (event.type === 'content_block_delta') {
        await blocks.get(event.index)?.add(pieceIn(event.delta))
      } else if (event.type === 'content_block_stop') {
        await blocks.get(event.index)?.end()
        blocks.delete(event.index)
      }
    },
    async takeWhole(messageId, kind, text) {
      if (streamed.has(messageId)) return
      if (current !== messageId) await begin(messageId)
      const block = textBlock(kind)
      await block.add(text)
      await block.end()
    },
  }
}

const pieceIn = (delta: Extract<StreamEvent, { type: 'content_block_delta' }>['delta']): string => {
  if (delta.type === 'text_delta') return delta.text
  if (delta.type === 'thinking_delta') return delta.thinking
  return delta.type === 'input_json_delta' ? delta.partial_json : ''
}
