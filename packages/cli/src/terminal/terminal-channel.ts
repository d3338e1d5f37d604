import { isSettled, type QuestionRecord, type Receipt, type RunnerChannel } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '@sandagent/sdk'
import type { CliIo } from '../io.ts'
import { holdDialog } from './dialog.ts'

export interface TerminalOptions {
  sandbox: AnswerableSandbox
  channel: RunnerChannel
  io: CliIo
}

/**
 * A channel that also asks its questions on the terminal. Answers from the terminal are submitted like all others. When a
 * question ends elsewhere, the terminal stops asking it.
 */
export function createTerminalChannel({ channel, sandbox, io }: TerminalOptions): RunnerChannel {
  const dialogs = new Map<string, { dismiss: (receipt: Receipt) => void; ended: Promise<void> }>()
  let turn = Promise.resolve()

  const begin = (record: QuestionRecord): void => {
    const dismissal = new AbortController()
    const { signal } = dismissal
    // One dialog at a time: a terminal has one keyboard.
    turn = turn.then(() =>
      signal.aborted ? undefined : holdDialog(record, { sandbox, io, dismissal: signal }),
    )
    dialogs.set(record.toolCallId, { dismiss: (receipt) => dismissal.abort(receipt), ended: turn })
  }

  return {
    async open(record, options) {
      const inForce = await channel.open(record, options)
      if (!isSettled(inForce)) begin(inForce)
      return inForce
    },
    read: (toolCallId, options) => channel.read(toolCallId, options),
    subscribe: (toolCallId, options) => channel.subscribe(toolCallId, options),
    close: (toolCallId, reason) => channel.close(toolCallId, reason),
    async settle(toolCallId, receipt) {
      try {
        return await channel.settle(toolCallId, receipt)
      } finally {
        // The question has ended, even if its receipt is not written yet.
        const dialog = dialogs.get(toolCallId)
        dialogs.delete(toolCallId)
        dialog?.dismiss(receipt)
        await dialog?.ended
      }
    },
  }
}
