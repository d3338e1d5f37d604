import type { ToolCall, UiStream } from './ui-stream.ts'

export type WholeCall = ToolCall & { input: unknown }

/** Shows each tool call once: it may come from the stream, from the whole message, or from its question. */
export class CallWriter {
  readonly #ui: UiStream
  readonly #started = new Set<string>()
  readonly #shown = new Set<string>()

  constructor(ui: UiStream) {
    this.#ui = ui
  }

  async start({ toolCallId, toolName }: ToolCall): Promise<void> {
    if (this.#started.has(toolCallId)) return
    this.#started.add(toolCallId)
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

  /** Ignores calls of earlier runs: readers reject the end of a call that they do not know. */
  async end(toolCallId: string, result: { output: unknown } | { errorText: string }): Promise<void> {
    if (!this.#shown.has(toolCallId)) return
    await ('output' in result
      ? this.#ui.toolOutput(toolCallId, result.output)
      : this.#ui.toolError(toolCallId, result.errorText))
  }
}
