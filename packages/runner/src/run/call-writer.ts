import type { ToolCall, UiStream } from './ui-stream.ts'

export type WholeCall = ToolCall & { input: unknown }
export type CallEnd = { output: unknown } | { errorText: string }

const NO_END = 'The agent did not say how this call ended'

/** Shows each tool call once: it may come from the stream, from the whole message, or from its question. */
export class CallWriter {
  readonly #ui: UiStream
  readonly #started = new Set<string>()
  readonly #shown = new Set<string>()
  /** Those without an end. */
  readonly #open = new Set<string>()

  constructor(ui: UiStream) {
    this.#ui = ui
  }

  async start({ toolCallId, toolName }: ToolCall): Promise<void> {
    if (this.#started.has(toolCallId)) return
    this.#started.add(toolCallId)
    this.#open.add(toolCallId)
    await this.#ui.toolInputStart({ toolCallId, toolName })
  }

  /** A piece of the input's JSON. It is ignored after the whole input. */
  async piece(toolCallId: string, text: string): Promise<void> {
    if (!this.#shown.has(toolCallId)) await this.#ui.toolInputDelta(toolCallId, text)
  }

  async show(call: WholeCall): Promise<void> {
    if (this.#shown.has(call.toolCallId)) return
    this.#shown.add(call.toolCallId)
    await this.start(call)
    await this.#ui.toolInput(call)
  }

  isOpen(toolCallId: string): boolean {
    return this.#open.has(toolCallId)
  }

  /**
   * Ignores calls of earlier runs: readers reject the end of a call that they do not know. A failure of a call that has its end
   * is the same again: an agent says so of a call that was denied. An output is none: the call has run.
   */
  async end(toolCallId: string, result: CallEnd): Promise<void> {
    if (!this.#shown.has(toolCallId)) return
    const isFirst = this.#open.delete(toolCallId)
    if ('output' in result) await this.#ui.toolOutput(toolCallId, result.output)
    else if (isFirst) await this.#ui.toolError(toolCallId, result.errorText)
  }

  /** Ends what is open: a page shows a call without an end as one that still runs. */
  async endAll(): Promise<void> {
    for (const toolCallId of this.#open) await this.#ui.toolError(toolCallId, NO_END)
    this.#open.clear()
  }
}
