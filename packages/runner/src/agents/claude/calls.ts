import type { ToolCall, UiStream } from '../../run/ui-stream.ts'

/** A tool call with its input. */
export type WholeCall = ToolCall & { input: unknown }

/** Shows tool calls, whoever tells of them first: the model's stream, the whole message, or the one who asks. */
export interface CallWriter {
  start(call: ToolCall): Promise<void>
  /** A piece of the input's JSON; pieces that come after the whole input are left out. */
  piece(toolCallId: string, text: string): Promise<void>
  show(call: WholeCall): Promise<void>
  /** Ends a call; one that this stream does not show belongs to an earlier run, and readers would refuse its end. */
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
