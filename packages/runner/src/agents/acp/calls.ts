import type { SessionUpdate, ToolCallContent, ToolCallUpdate } from '@agentclientprotocol/sdk'
import { parseCall } from '@sandagent/core/dialects/acp'
import { type CallEnd, CallWriter } from '../../run/call-writer.ts'
import type { ToolResult } from '../../run/tool-result.ts'
import type { UiStream } from '../../run/ui-stream.ts'

/** An update that tells of a tool call. */
export type CallUpdate = Extract<SessionUpdate, { sessionUpdate: 'tool_call' | 'tool_call_update' }>

/** Shows the tool calls of a session. An agent tells of a call piece by piece: what it leaves out is as it said before. */
export class AcpCalls {
  readonly #known = new Map<string, ToolCallUpdate>()
  readonly #answered = new Set<string>()
  readonly #writer: CallWriter
  readonly #runId: string

  constructor(ui: UiStream, runId: string) {
    this.#writer = new CallWriter(ui)
    this.#runId = runId
  }

  /** The id of a call in this run. That of the agent is unique in its session alone. */
  idOf(toolCallId: string): string {
    return `${this.#runId}-${toolCallId}`
  }

  isOpen(id: string): boolean {
    return this.#writer.isOpen(id)
  }

  /** Adds what an agent says of a call to what it has said before. */
  merge(update: ToolCallUpdate): ToolCallUpdate {
    const said = Object.entries(update).filter(([, value]) => value !== null && value !== undefined)
    const call = Object.assign({}, this.#known.get(update.toolCallId), Object.fromEntries(said))
    this.#known.set(update.toolCallId, call)
    return call
  }

  /** Shows what an update says. The input of a call that does not run yet may still grow: it is shown later. */
  async take({ sessionUpdate: _, ...update }: CallUpdate): Promise<void> {
    const id = this.idOf(update.toolCallId)
    const call = this.merge(update)
    if (call.status === undefined || call.status === 'pending' || this.#answered.has(id)) return
    if (call.status === 'in_progress') return this.show(id, parseCall(call))
    this.#known.delete(call.toolCallId)
    // Now its content is what came of it.
    await this.show(id, parseCall({ ...call, content: [] }))
    const text = textIn(call.content ?? [])
    const output = call.rawOutput ?? text
    const failure = text || (typeof output === 'string' && output) || 'The call failed'
    await this.end(id, call.status === 'failed' ? { errorText: failure } : { output })
  }

  async show(toolCallId: string, { toolName, input }: { toolName: string; input: unknown }): Promise<void> {
    await this.#writer.show({ toolCallId, toolName, input })
  }

  end(toolCallId: string, result: CallEnd): Promise<void> {
    return this.#writer.end(toolCallId, result)
  }

  /** Ends the call that asked a question, with the answer. What the agent says of it afterwards is the same again. */
  async answer(toolCallId: string, result: ToolResult): Promise<void> {
    this.#answered.add(toolCallId)
    await this.end(toolCallId, result)
  }

  /** Ends the calls that the agent has left open. */
  endAll(): Promise<void> {
    return this.#writer.endAll()
  }
}

const textIn = (content: readonly ToolCallContent[]): string =>
  content
    .flatMap((part) => (part.type === 'content' && part.content.type === 'text' ? [part.content.text] : []))
    .join('\n')
