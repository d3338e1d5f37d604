import type { RunnerChannel } from '@sandagent/core'
import type { UiStream } from '@sandagent/runner'
import { LocalSandbox, type LocalSandboxOptions } from '@sandagent/sdk'
import { createTerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { createTextUi } from './text-ui.ts'

/** Shows a run on the terminal and asks its questions there. Without a keyboard it only shows them. */
export function createTerminal({
  place,
  ...options
}: Omit<TerminalOptions, 'sandbox'> & {
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder' | 'sweepAfterMs'>
}): {
  channel: RunnerChannel
  ui: UiStream
} {
  const { io, channel } = options
  const canAsk = io.stdin.isTTY === true
  return {
    channel: canAsk ? createTerminalChannel({ ...options, sandbox: new LocalSandbox(place) }) : channel,
    ui: createTextUi(io.stdout, { showQuestions: !canAsk }),
  }
}
