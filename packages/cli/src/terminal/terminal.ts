import type { RunnerChannel } from '@sandagent/core'
import { LocalSandbox, type LocalSandboxOptions } from '@sandagent/sdk'
import { comeBackCommand } from './come-back.ts'
import { holdOutput } from './held-output.ts'
import { createTerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { chunkIn, createTextPrinter } from './text-printer.ts'

/** Shows the events of a run on the terminal and asks its questions there. Without a keyboard it only shows them. */
export function createTerminal({
  place,
  ...options
}: Omit<TerminalOptions, 'sandbox' | 'hold'> & {
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder' | 'sweepAfterMs'>
}): { channel: RunnerChannel; write: (event: string) => Promise<void> } {
  const { io, channel } = options
  const canAsk = io.stdin.isTTY === true
  const sandbox = new LocalSandbox(place)
  const answerCommand = (toolCallId: string): string => comeBackCommand(toolCallId, sandbox)
  const show = createTextPrinter(io.stdout, { showQuestions: !canAsk, answerCommand })
  const { write, hold } = holdOutput(async (event) => {
    const chunk = chunkIn(event.slice('data: '.length))
    if (chunk) await show(chunk)
  })
  return { channel: canAsk ? createTerminalChannel({ ...options, sandbox, hold }) : channel, write }
}
