import { type FileEdit, fileEditsIn } from '@sandagent/core/internal'
import type { AnswerableSandbox, RunSandbox } from '@sandagent/sdk/internal'
import { attemptPaths, chunkOf, createEventCutter, latestRecord, readTail } from '@sandagent/sdk/internal'
import { hasRuns, type InboxSandbox } from './inbox-sandbox.ts'

export type { FileEdit }

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

/** What a run did last, as the end of its log has it. */
export interface RunWork {
  messages: RunMessage[]
  /** What its tool calls wrote into files, the oldest first. Only the last 100 are there. */
  edits: FileEdit[]
}

export const NO_WORK: RunWork = { messages: [], edits: [] }

/** How much of a log's end is read. */
const TAIL_BYTES = 256 * 1024

/** How much of each text is shown, in characters. */
const MAX_TEXT = 4000
const MAX_OUTPUT = 1000

/** How many edits are shown. */
const MOST_EDITS = 100

/** How long all of them may be, in characters. */
const MAX_EDIT_CHARS = 128 * 1024

/**
 * What a run did last, from the end of its log. Empty for a run without a log.
 *
 * @param limit the most messages
 */
export async function lastWork({ sandbox }: InboxSandbox, runId: string, limit: number): Promise<RunWork> {
  const tail = hasRuns(sandbox) ? await tailIn(sandbox, runId) : await storedTail(sandbox, runId)
  const { messages, edits } = workIn(createEventCutter()(tail).map(chunkOf))
  return { messages: messages.slice(-limit), edits: lastOf(edits) }
}

async function tailIn(sandbox: RunSandbox, runId: string): Promise<Uint8Array> {
  const record = await latestRecord(sandbox, runId)
  if (!record) return new Uint8Array()
  return readTail(sandbox.files, attemptPaths(sandbox, runId, record.attempt).stream, TAIL_BYTES)
}

async function storedTail({ logs }: AnswerableSandbox, runId: string): Promise<Uint8Array> {
  const attempt = await logs?.lastAttempt(runId)
  return (attempt && (await logs?.tail({ runId, attempt }, TAIL_BYTES))) || new Uint8Array()
}

/** The last edits, as many as are sent. A path may be long, and stands in each edit of its file. */
function lastOf(edits: readonly FileEdit[]): FileEdit[] {
  let chars = 0
  const isSent = ({ path, before, after }: FileEdit): boolean => {
    chars += path.length + (before?.length ?? 0) + after.length
    return chars <= MAX_EDIT_CHARS
  }
  const last = edits.slice(-MOST_EDITS)
  return last.slice(last.findLastIndex((edit) => !isSent(edit)) + 1)
}

/** The messages in chunks of a UI message stream, and the edits of tool calls that succeeded. Other chunks are passed over. */
function workIn(chunks: readonly Record<string, unknown>[]): RunWork {
  const messages: RunMessage[] = []
  const edits: FileEdit[] = []
  const texts = new Map<unknown, Extract<RunMessage, { kind: 'text' }>>()
  const tools = new Map<unknown, { call: Extract<RunMessage, { kind: 'tool' }>; edits: FileEdit[] }>()
  for (const { type, id, delta, toolCallId, toolName, input, output, errorText } of chunks) {
    const tool = tools.get(toolCallId)
    if (type === 'text-delta' && typeof delta === 'string') {
      const text = texts.get(id) ?? { kind: 'text', text: '' }
      if (!texts.has(id)) messages.push(text)
      texts.set(id, text)
      text.text = (text.text + delta).slice(-MAX_TEXT)
    } else if (type === 'text-end') texts.delete(id)
    else if (
      type === 'tool-input-available' &&
      typeof toolName === 'string' &&
      typeof toolCallId === 'string'
    ) {
      const call = { kind: 'tool', toolCallId, toolName, state: 'called', input: shortened(input) } as const
      tools.set(toolCallId, { call, edits: fileEditsIn(toolName, input) })
      messages.push(call)
    } else if (tool && type === 'tool-output-available') {
      edits.push(...tool.edits.splice(0))
      Object.assign(tool.call, { state: 'done', output: textOf(output).slice(0, MAX_OUTPUT) })
    } else if (tool && type === 'tool-output-error')
      Object.assign(tool.call, { state: 'failed', output: textOf(errorText).slice(0, MAX_OUTPUT) })
  }
  return {
    messages: messages.filter((message) => message.kind === 'tool' || message.text.trim() !== ''),
    edits,
  }
}

const TOO_DEEP = 'It is nested too deeply to be shown.'

function shortened(input: unknown): unknown {
  const text = jsonOf(input)
  if (text === null) return TOO_DEEP
  return text.length > MAX_TEXT ? text.slice(0, MAX_TEXT) : input
}

/** What a tool gave back, for people. Nothing is no text. */
function textOf(value: unknown): string {
  if (value == null) return ''
  return typeof value === 'string' ? value : (jsonOf(value) ?? TOO_DEEP)
}

/** `null` for what is nested so deeply that it can be read as JSON, but not be written. */
function jsonOf(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? ''
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
