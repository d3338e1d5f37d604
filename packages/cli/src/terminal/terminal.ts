import type { RunnerChannel } from '@sandagent/core'
import type { UiStream } from '@sandagent/runner'
import { createAskingChannel, type TerminalOptions } from './asking-channel.ts'
import { createTextUi } from './text-ui.ts'

/**
 * Shows a run to a person at a terminal, and asks them what it asks. Without a keyboard the questions are shown
 * too, for whoever answers them elsewhere.
 */
export function createTerminal(options: TerminalOptions): { channel: RunnerChannel; ui: UiStream } {
  const { io, channel } = options
  const canAsk = io.stdin.isTTY === true
  return {
    channel: canAsk ? createAskingChannel(options) : channel,
    ui: createTextUi(io.stdout, { showQuestions: !canAsk }),
  }
}
