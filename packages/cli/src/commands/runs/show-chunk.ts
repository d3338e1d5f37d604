import { printable } from '@sandagent/core/internal'
import type { UiStream } from '@sandagent/runner'

type Chunk = Readonly<Record<string, unknown>>
type Show = (ui: UiStream, chunk: Chunk) => Promise<void>

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The chunks that a text shows, by type. */
const SHOWN: Readonly<Record<string, Show>> = {
  'text-start': (ui, { id }) => ui.textStart(text(id)),
  'text-delta': (ui, { id, delta }) => ui.textDelta(text(id), text(delta)),
  'text-end': (ui, { id }) => ui.textEnd(text(id)),
  'tool-input-available': (ui, { toolCallId, toolName, input }) =>
    ui.toolInput({ toolCallId: text(toolCallId), toolName: text(toolName), input }),
  'tool-output-available': (ui, { toolCallId, output }) => ui.toolOutput(text(toolCallId), output),
  'tool-output-error': (ui, { toolCallId, errorText }) => ui.toolError(text(toolCallId), text(errorText)),
  'message-metadata': (ui, { messageMetadata }) => ui.metadata(Object(messageMetadata)),
  abort: (ui) => ui.abort(),
}

/** Shows one chunk of a UI message stream, as a run in this terminal would. An error ends a stream, so it stands alone. */
export async function showChunk(
  ui: UiStream,
  chunk: Chunk,
  write: (text: string) => Promise<void>,
): Promise<void> {
  const type = text(chunk.type)
  if (type === 'error') await write(`✗ ${printable(text(chunk.errorText))}\n`)
  else if (Object.hasOwn(SHOWN, type)) await SHOWN[type]?.(ui, chunk)
}
