import { attemptPaths } from '../run-records/run-paths.ts'
import { latestRecord } from '../run-records/run-records.ts'
import { chunkOf, createEventCutter, readTail } from '../runs/run-log.ts'
import type { RunSandbox } from '../sandbox/sandbox.ts'

/** What an agent wrote, or a tool call of it, as its log has it. */
export type RunMessage =
  | { kind: 'text'; text: string }
  | {
      kind: 'tool'
      toolCallId: string
      toolName: string
      state: 'called' | 'done' | 'failed'
      /** A long input is a text here: the beginning of its JSON. */
      input: unknown
      /** The beginning of what the tool gave, or of its error. */
      output?: string
    }

/** How much of a log's end is read. */
const TAIL_BYTES = 256 * 1024

/** How much of each text is shown, in characters. */
const MAX_TEXT = 4000
const MAX_OUTPUT = 1000

/** The last messages of a run, from the end of its log. Empty for a run without a log. */
export async function lastMessages(sandbox: RunSandbox, runId: string, limit: number): Promise<RunMessage[]> {
  const record = await latestRecord(sandbox, runId)
  if (!record) return []
  const { stream } = attemptPaths(sandbox, runId, record.attempt)
  const events = createEventCutter()(await readTail(sandbox.files, stream, TAIL_BYTES))
  return messagesIn(events.map(chunkOf)).slice(-limit)
}

/** The messages in chunks of a UI message stream. Chunks of other shapes are passed over. */
function messagesIn(chunks: readonly Record<string, unknown>[]): RunMessage[] {
  const messages: RunMessage[] = []
  const texts = new Map<unknown, { kind: 'text'; text: string }>()
  const tools = new Map<unknown, Extract<RunMessage, { kind: 'tool' }>>()
  for (const { type, id, delta, toolCallId, toolName, input, output, errorText } of chunks) {
    const tool = tools.get(toolCallId)
    if (type === 'text-delta' && typeof delta === 'string') {
      const text = texts.get(id) ?? { kind: 'text', text: '' }
      if (!texts.has(id)) messages.push(text)
      texts.set(id, text)
      text.text = (text.text + delta).slice(-MAX_TEXT)
    } else if (type === 'text-end') texts.delete(id)
    else if (type === 'tool-input-available' && typeof toolName === 'string') {
      const call = { kind: 'tool', toolCallId: String(toolCallId), toolName, state: 'called' } as const
      const message = { ...call, input: shortened(input) }
      messages.push(message)
      tools.set(toolCallId, message)
    } else if (tool && type === 'tool-output-available') {
      tool.state = 'done'
      tool.output = textOf(output).slice(0, MAX_OUTPUT)
    } else if (tool && type === 'tool-output-error') {
      tool.state = 'failed'
      tool.output = textOf(errorText).slice(0, MAX_OUTPUT)
    }
  }
  return messages.filter((message) => message.kind === 'tool' || message.text.trim() !== '')
}

function shortened(input: unknown): unknown {
  const text = JSON.stringify(input) ?? ''
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : input
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value ?? '') ?? '')
