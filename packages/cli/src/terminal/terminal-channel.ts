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
import type { WaitingLine } from './beside/waiting-line.ts'
import { holdDialog, tellAllowed } from './dialog.ts'
import { elsewhereText } from './farewell.ts'
import type { Keyboard } from './keyboard/keyboard.ts'

export interface TerminalOptions {
  sandbox: AnswerableSandbox
  channel: RunnerChannel
  io: CliIo
  keyboard: Keyboard
  /** As in `DialogOptions`. */
  screenReader?: boolean | undefined
  /** What people can allow beyond a call, and what they have allowed. It is asked for with the first approval. */
  grants?: (() => Promise<InboxGrants>) | undefined
  /** Holds back what else is written to the terminal, until the returned function is called. */
  hold?: (() => () => Promise<void>) | undefined
  /** Where questions wait whose agent works on. Without it, they are asked at once, too. */
  line?: WaitingLine | undefined
}

interface Dialog {
  dismiss: (receipt: Receipt) => void
  ended: Promise<void>
}

/**
 * A channel that also asks its questions on the terminal. Answers from the terminal are submitted like all others. When a
 * question ends elsewhere, the terminal stops asking it.
 */
export function createTerminalChannel({
  channel,
  grants,
  hold = () => async () => {},
  line,
  ...options
}: TerminalOptions): RunnerChannel {
  const dialogs = new Map<string, Dialog>()
  let turn = Promise.resolve()

  /** One dialog at a time: a terminal has one keyboard. */
  const ask = (record: QuestionRecord, signal: AbortSignal, left?: AbortSignal): Promise<void> => {
    turn = turn.then(async () => {
      const { sandbox, io } = options
      const release = hold()
      line?.pause()
      try {
        const kept = record.kind === 'approval' ? await grants?.() : undefined
        if (signal.aborted || (await kept?.answers({ sandbox, record })))
          return kept && (await tellAllowed(record, { sandbox, io }))
        const answerer = kept && { grants: kept }
        const dialog = { ...options, answerer, dismissal: signal, isOfRun: true, left }
        if ((await holdDialog(record, dialog)) !== 'left') line?.remove(record.toolCallId)
      } catch (error) {
        // The question can still be answered elsewhere.
        options.io.stdout.write(`This cannot be asked here: ${printableLine((error as Error).message)}\n`)
      } finally {
        await release()
        line?.resume()
      }
    })
    return turn
  }

  const begin = (record: QuestionRecord): void => {
    const { toolCallId } = record
    const dismissal = new AbortController()
    const dismiss = (receipt: Receipt): void => dismissal.abort(receipt)
    if (!line || record.blocking !== false) {
      dialogs.set(toolCallId, { dismiss, ended: ask(record, dismissal.signal) })
      return
    }
    let isAsked = false
    /** Says how it ended, unless its form has said so. */
    const leave = (receipt: Receipt): void => line.remove(toolCallId, `${elsewhereText(record, receipt)}\n`)
    const dialog: Dialog = {
      dismiss(receipt) {
        if (!isAsked) leave(receipt)
        dismiss(receipt)
      },
      ended: Promise.resolve(),
    }
    dialogs.set(toolCallId, dialog)
    line.add(record, () => {
      if (isAsked) return
      isAsked = true
      const left = new AbortController()
      // Before there is a form: Ctrl-C may come with the key that opens it.
      const stopReading = options.keyboard.read({ onCtrlC: () => left.abort() })
      dialog.ended = ask(record, dismissal.signal, left.signal).finally(() => {
        stopReading()
        isAsked = false
        // It may have ended before its form was there.
        if (dismissal.signal.aborted) leave(dismissal.signal.reason as Receipt)
      })
    })
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
    leave: (toolCallId) => channel.leave(toolCallId),
    ...(channel.fileAt && { fileAt: channel.fileAt.bind(channel) }),
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
