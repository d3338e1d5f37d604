import type { RunnerChannel } from '@sandagent/core'
import type { UiStream } from '@sandagent/runner'
import type { AnswerableSandbox } from '@sandagent/sdk'
import type { CliIo } from '../cli.ts'
import { createAskingChannel } from './asking-channel.ts'
import { createTextUi } from './text-ui.ts'

export interface TerminalOptions {
  sandbox: AnswerableSandbox
  channel: RunnerChannel
  io: CliIo
}

/** Puts a person at a terminal into a run: they read what the agent does, and are asked what it asks. */
export function createTerminal(options: TerminalOptions): { channel: RunnerChannel; ui: UiStream } {
  return { channel: createAskingChannel(options), ui: createTextUi(options.io.stdout) }
}
