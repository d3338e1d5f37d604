import {
  isSettled,
  printableLine,
  type QuestionRecord,
  type Receipt,
  type RunnerChannel,
} from '@sandagent/core/internal'
import type { InboxGrants } from '@sandagent/inbox'
import type { AnswerableSandbox } from '@sandagent/sdk'
import type { CliIo } from '../io.ts'
import { holdDialog, tellAllowed } from './dialog.ts'

export interface TerminalOptions {
  sandbox: AnswerableSandbox
  channel: RunnerChannel
  io: CliIo
  /** As in `DialogOptions`. */
  screenReader?: boolean | undefined
  /** What people can allow beyond a call, and what they have allowed. It is asked for with the first approval. */
  grants?: (() => Promise<InboxGrants>) | undefined
  /** Holds back what else is written to the terminal, until the returned function is called. */
  hold?: (() => () => Promise<void>) | undefined
}

/**
 * A channel that also asks its questions on the terminal. Answers from the terminal are submitted like all others. When a
 * question ends elsewhere, the terminal stops asking it.
 */
export function createTerminalChannel({
  channel,
  grants,
  hold = () => async () => {},
  ...options
}: TerminalOptions): RunnerChannel {
  const dialogs = new Map<string, { dismiss: (receipt: Receipt) => void; ended: Promise<void> }>()
  let turn = Promise.resolve()

  const begin = (record: QuestionRecord): void => {
    const dismissal = new AbortController()
    const { signal } = dismissal
    // One dialog at a time: a terminal has one keyboard.
    turn = turn.then(async () => {
      const { sandbox, io } = options
      const release = hold()
      try {
        const kept = record.kind === 'approval' ? await grants?.() : undefined
        if (signal.aborted || (await kept?.answers({ sandbox, record })))
          return kept && (await tellAllowed(record, { sandbox, io }))
        const answerer = kept && { grants: kept }
        await holdDialog(record, { ...options, answerer, dismissal: signal, isOfRun: true })
      } catch (error) {
        // The question can still be answered elsewhere.
        options.io.stdout.write(`This cannot be asked here: ${printableLine((error as Error).message)}\n`)
      } finally {
        await release()
      }
    })
    dialogs.set(record.toolCallId, { dismiss: (receipt) => dismissal.abort(receipt), ended: turn })
  }

  return {
    async open(record, options) {
      const inForce = await channel.open(record, options)
      if (!isSettled(inForce)) begin(inForce)
      return inForce
    },
    recordOf: (toolCallId) => channel.recordOf(toolCallId),
    read: (toolCallId, options) => channel.read(toolCallId, options),
    subscribe: (toolCallId, options) => channel.subscribe(toolCallId, options),
    close: (toolCallId, reason) => channel.close(toolCallId, reason),
    ...(channel.fileAt && { fileAt: (file) => channel.fileAt?.(file) ?? Promise.resolve(null) }),
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
