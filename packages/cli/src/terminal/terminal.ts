import type { RunnerChannel } from '@sandagent/core'
import type { UiStream } from '@sandagent/runner'
import { LocalSandbox, type LocalSandboxOptions } from '@sandagent/sdk'
import { comeBackCommand } from './come-back.ts'
import { holdOutput } from './held-output.ts'
import { createTerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { createTextUi } from './text-ui.ts'

/** Shows a run on the terminal and asks its questions there. Without a keyboard it only shows them. */
export function createTerminal({
  place,
  ...options
}: Omit<TerminalOptions, 'sandbox' | 'hold'> & {
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder' | 'sweepAfterMs'>
}): {
  channel: RunnerChannel
  ui: UiStream
} {
  const { io, channel } = options
  const canAsk = io.stdin.isTTY === true
  const { output, hold } = holdOutput(io.stdout)
  const sandbox = new LocalSandbox(place)
  const answerCommand = (toolCallId: string): string => comeBackCommand(toolCallId, sandbox)
  return {
    channel: canAsk ? createTerminalChannel({ ...options, sandbox, hold }) : channel,
    ui: createTextUi(output, { showQuestions: !canAsk, answerCommand }),
  }
}
