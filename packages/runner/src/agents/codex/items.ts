import { mcpToolName, notRunText } from '@sandagent/core/internal'
import * as v from 'valibot'
import { type CallEnd, CallWriter, type WholeCall } from '../../run/call-writer.ts'
import { TextWriter } from '../../run/text-writer.ts'
import type { UiStream } from '../../run/ui-stream.ts'

/** Something that Codex does in a turn, as `item/started` and `item/completed` have it. */
export interface CodexItem {
  type: string
  id: string
  status?: string | null | undefined
  text?: string | null | undefined
  questions?: unknown[] | null | undefined
  [more: string]: unknown
}

const itemSchema: v.GenericSchema<unknown, CodexItem> = v.looseObject({
  type: v.string(),
  id: v.string(),
  status: v.nullish(v.string()),
  text: v.nullish(v.string()),
  questions: v.nullish(v.array(v.unknown())),
})

/** What a notification is about; `null` if it is no item. */
export const itemIn = (params: unknown): CodexItem | null => {
  const parsed = v.safeParse(v.object({ item: itemSchema }), params)
  return parsed.success ? parsed.output.item : null
}

const deltaSchema = v.object({ itemId: v.string(), delta: v.string() })

/** These are no calls of a tool. */
const SILENT = new Set([
  'userMessage',
  'hookPrompt',
  'functionCallOutput',
  'enteredReviewMode',
  'exitedReviewMode',
  'contextCompaction',
  'subAgentActivity',
])

/** Shows the items of a turn: what Codex says and thinks, and each call of a tool under its id in the turn. */
export class CodexItems {
  /** Items may follow each other without an end between them. */
  readonly #texts: TextWriter
  readonly #calls: CallWriter
  readonly #said = new Set<string>()

  constructor(ui: UiStream) {
    this.#texts = new TextWriter(ui)
    this.#calls = new CallWriter(ui)
  }

  /** A piece of a message or of a thought. */
  async delta(kind: 'text' | 'reasoning', params: unknown): Promise<void> {
    const parsed = v.safeParse(deltaSchema, params)
    if (parsed.success) await this.#write(kind, parsed.output.itemId, parsed.output.delta)
  }

  async started(callId: string, item: CodexItem): Promise<void> {
    const call = callOf(item)
    if (call) await this.show({ toolCallId: callId, ...call })
  }

  async completed(callId: string, item: CodexItem): Promise<void> {
    if (item.type === 'agentMessage' || item.type === 'plan') {
      if (!this.#said.has(item.id) && item.text) await this.#write('text', item.id, item.text)
      return this.endText()
    }
    const call = callOf(item)
    if (!call) return
    await this.show({ toolCallId: callId, ...call })
    await this.end(callId, resultOf(item, call.toolName))
  }

  async show(call: WholeCall): Promise<void> {
    if (!this.#calls.isOpen(call.toolCallId)) await this.endText()
    await this.#calls.show(call)
  }

  end(callId: string, result: CallEnd): Promise<void> {
    return this.#calls.end(callId, result)
  }

  /** Ends what is open. */
  async endAll(): Promise<void> {
    await this.endText()
    await this.#calls.endAll()
  }

  endText(): Promise<void> {
    return this.#texts.end()
  }

  async #write(kind: 'text' | 'reasoning', itemId: string, text: string): Promise<void> {
    this.#said.add(itemId)
    await this.#texts.add(kind, text, itemId)
  }
}

/** The call that an item is, as approvals name it, too. */
function callOf({
  type,
  id: _,
  status: __,
  ...item
}: CodexItem): { toolName: string; input: unknown } | undefined {
  switch (type) {
    case 'agentMessage':
    case 'plan':
    case 'reasoning':
      return undefined
    case 'commandExecution':
      return { toolName: 'exec_command', input: { cmd: item.command, cwd: item.cwd } }
    case 'fileChange':
      return { toolName: 'apply_patch', input: { changes: item.changes } }
    case 'mcpToolCall':
      return { toolName: mcpToolName(item.server, item.tool), input: item.arguments }
    default: {
      const { startedAtMs: ___, completedAtMs: ____, ...input } = item
      return SILENT.has(type) ? undefined : { toolName: type, input }
    }
  }
}

/** How a call ended. */
function resultOf(item: CodexItem, toolName: string): CallEnd {
  const { status, aggregatedOutput, exitCode, result, error } = item
  if (status === 'declined') return { errorText: notRunText(toolName, 'It was not permitted.') }
  if (status === 'failed') {
    const said = [aggregatedOutput, (error as { message?: unknown } | null | undefined)?.message]
    const why = said.find((text) => typeof text === 'string' && text.trim() !== '')
    return { errorText: String(why ?? notRunText(toolName, 'It failed.')) }
  }
  if (item.type === 'commandExecution') return { output: { output: aggregatedOutput ?? '', exitCode } }
  return { output: result ?? { status: status ?? 'completed' } }
}
