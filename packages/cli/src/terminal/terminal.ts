import type { RunnerChannel } from '@sandagent/core'
import { LocalSandbox, type LocalSandboxOptions } from '@sandagent/sdk'
import { comeBackCommand } from './come-back.ts'
import { holdOutput } from './held-output.ts'
import { createTerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { chunkIn, createTextPrinter } from './text-printer.ts'

/** Shows a run on the terminal and asks its questions there. Without a keyboard it only shows them. */
export function createTerminal({
  place,
  ...options
}: Omit<TerminalOptions, 'sandbox' | 'hold'> & {
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder' | 'sweepAfterMs'>
}): {
  channel: RunnerChannel
  /** Takes the events of the run. */
  write: (event: string) => Promise<void>
} {
  const { io, channel } = options
  const canAsk = io.stdin.isTTY === true
  const { output, hold } = holdOutput(io.stdout)
  const sandbox = new LocalSandbox(place)
  const answerCommand = (toolCallId: string): string => comeBackCommand(toolCallId, sandbox)
  const show = createTextPrinter(output, { showQuestions: !canAsk, answerCommand })
  return {
    channel: canAsk ? createTerminalChannel({ ...options, sandbox, hold }) : channel,
    async write(event) {
      const chunk = chunkIn(event.slice('data: '.length))
      if (chunk) await show(chunk)
    },
  }
}
