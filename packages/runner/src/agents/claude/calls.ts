import type { ToolCall, UiStream } from '../../run/ui-stream.ts'

export type WholeCall = ToolCall & { input: unknown }

/** Shows each tool call once: it may come from the stream, from the whole message, or from its question. */
export interface CallWriter {
  start(call: ToolCall): Promise<void>
  /** A piece of the input's JSON. It is ignored after the whole input. */
  piece(toolCallId: string, text: string): Promise<void>
  show(call: WholeCall): Promise<void>
  /** Ignores calls of earlier runs: readers reject the end of a call that they do not know. */
  end(toolCallId: string, result: { output: unknown } | { errorText: string }): Promise<void>
}

export function createCallWriter(ui: UiStream): CallWriter {
  const started = new Set<string>()
  const shown = new Set<string>()

  const start = async ({ toolCallId, toolName }: ToolCall): Promise<void> => {
    if (started.has(toolCallId)) return
    started.add(toolCallId)
    await ui.toolInputStart({ toolCallId, toolName })
  }

  return {
    start,
    async piece(toolCallId, text) {
      if (!shown.has(toolCallId)) await ui.toolInputDelta(toolCallId, text)
    },
    async show({ toolCallId, toolName, input }) {
      if (shown.has(toolCallId)) return
      shown.add(toolCallId)
      await start({ toolCallId, toolName })
      await ui.toolInput({ toolCallId, toolName, input })
    },
    async end(toolCallId, result) {
      if (!shown.has(toolCallId)) return
      await ('output' in result
        ? ui.toolOutput(toolCallId, result.output)
        : ui.toolError(toolCallId, result.errorText))
    },
  }
}
