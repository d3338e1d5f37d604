import type { RunnerChannel } from '@sandagent/core'
import { LocalSandbox, type LocalSandboxOptions } from '@sandagent/sdk'
import { wantsLines } from '../io.ts'
import { holdOutput } from './beside/held-output.ts'
import { WaitingLine } from './beside/waiting-line.ts'
import { comeBackCommand } from './come-back.ts'
import { createKeyboard } from './keyboard/keyboard.ts'
import { createTerminalChannel, type TerminalOptions } from './terminal-channel.ts'
import { chunkIn, createTextPrinter, textIn } from './text-printer.ts'

/**
 * Shows the events of a run on the terminal and asks its questions there. Without a keyboard it only shows them. At its `end`
 * the terminal is as it was: what is still open is asked no more.
 */
export function createTerminal({
  place,
  ...options
}: Omit<TerminalOptions, 'sandbox' | 'keyboard' | 'hold' | 'line'> & {
  place: Pick<LocalSandboxOptions, 'workdir' | 'stateFolder' | 'sweepAfterMs'>
}): { channel: RunnerChannel; write(event: string): Promise<void>; end(): Promise<void> } {
  const over = new AbortController()
  const { channel } = options
  const io = { ...options.io, signal: AbortSignal.any([options.io.signal, over.signal]) }
  const keyboard = createKeyboard(options.io)
  const canAsk = io.stdin.isTTY === true
  const sandbox = new LocalSandbox(place)
  const answerCommand = (toolCallId: string): string => comeBackCommand(toolCallId, sandbox)
  const show = createTextPrinter(io.stdout, { showQuestions: !canAsk, answerCommand })
  // Who reads plain lines cannot see a line that changes: they are asked at once.
  const line =
    canAsk && !(options.screenReader ?? wantsLines(io)) ? new WaitingLine({ ...io, keyboard }) : undefined
  const { write, hold } = holdOutput(async (event) => {
    const chunk = chunkIn(event.slice('data: '.length))
    if (!chunk) return
    const text = chunk.type === 'text-delta' ? textIn(chunk.delta) : null
    await (line ? line.above(text, () => show(chunk)) : show(chunk))
  })
  return {
    channel: canAsk ? createTerminalChannel({ ...options, io, keyboard, sandbox, hold, line }) : channel,
    write,
    async end() {
      over.abort()
      await keyboard.close()
    },
  }
}
