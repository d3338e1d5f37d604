import { AskError, printableLine, type QuestionRecord, type Receipt, UNDO_MS } from '@sandagent/core/internal'
import { type AnswerableSandbox, channelOf } from '@sandagent/sdk/internal'
import { type CliIo, wantsLines } from '../io.ts'
import type { EndingSignal } from '../signals.ts'
import { comeBackCommand, type ReachedBy } from './come-back.ts'
import { farewell } from './farewell.ts'
import { firstLines, wrap } from './form/draw/wrap.ts'
import { editorOf } from './form/edit/editor.ts'
import { openKeyboard } from './keyboard/keyboard.ts'
import { isDone, isTaken, type OpenQuestion, openSession } from './session/open-session.ts'
import type { CallerOptions } from './session/record-transport.ts'
import { subjectLines } from './subject-lines.ts'

/** The most lines of a tool call that stay when the form has gone. */
const MOST_SUBJECT_LINES = 20

export interface DialogOptions {
  sandbox: AnswerableSandbox
  io: CliIo
  /** Aborts when the question ends. Its reason is the receipt. */
  dismissal: AbortSignal
  /** Who answers, and by which policy. Default: whoever is at the terminal. */
  answerer?: CallerOptions | undefined
  /** Whether a signal that ends this process also withdraws the question: the run that asks is in it. */
  isOfRun?: boolean | undefined
  /** Whether Ctrl-C only leaves the form: the agent works on, and the run with it. */
  isAside?: boolean | undefined
  /** For a sandbox elsewhere: how to come back to it. */
  reachedBy?: ReachedBy | undefined
  /** Prints plain lines and draws nothing again, for screen readers. Default: where `INK_SCREEN_READER` is `true`. */
  screenReader?: boolean | undefined
}

/** `taken`: what was entered here counts. `too late`: the question ended otherwise. `left`: it is still open. */
export type DialogEnding = 'taken' | 'too late' | 'left'

/**
 * Asks the questions of a record on the terminal, and submits the answer. It resolves when the answer is stored, when the
 * question has ended otherwise, or when `io.signal` aborts: then what was entered is a draft.
 */
export async function holdDialog(
  record: QuestionRecord,
  {
    sandbox,
    io,
    dismissal,
    reachedBy,
    answerer,
    isOfRun = false,
    isAside = false,
    screenReader = wantsLines(io),
  }: DialogOptions,
): Promise<DialogEnding> {
  const { toolCallId } = record
  const over = new AbortController()
  // A line that was typed to its end is no slip, and two keys were pressed for a permission.
  const undoMs = screenReader || record.kind === 'approval' ? 0 : UNDO_MS
  const open = openSession(record, { sandbox, answerer, undoMs })
  const { session, attach } = open
  open.subscribe(() => {
    const error = open.replaced()
    if (error || isDone(session.getSnapshot())) over.abort(error)
  })
  const left = new AbortController()
  const signal = AbortSignal.any([dismissal, io.signal, over.signal, left.signal])
  const keys = isAside
    ? { ...io, interrupt: (name: EndingSignal) => (name === 'SIGINT' ? left.abort() : io.interrupt(name)) }
    : io
  // Loading the form takes a moment, in which Ctrl-C does what it does in the form.
  let closeEarly = screenReader ? undefined : openKeyboard(keys, () => {})
  const handOver = (): void => {
    void closeEarly?.('reads on')
    closeEarly = undefined
  }
  io.stdout.write(askerText(record, io))
  try {
    if (screenReader)
      await (await import('./lines/lines-dialog.ts')).askInLines({
        session,
        attach,
        asked: record,
        io,
        signal,
      })
    else {
      const { showForm } = await import('./form/show-form.tsx')
      await showForm({
        open,
        stdout: io.stdout,
        ctrlC: isOfRun && !isAside ? 'stop the agent' : 'leave it open',
        openKeyboard(onKey) {
          handOver()
          return openKeyboard(keys, onKey)
        },
        editor: editorOf(io),
        signal,
      })
    }
  } finally {
    await closeEarly?.()
    await open.close()
  }
  const ending = endingOf(open, dismissal, over.signal.reason)
  if (ending !== null) io.stdout.write(`${subjectText(record, io)}${ending}\n`)
  // Without an ending, this process leaves the question. A run that ends by a signal withdraws it.
  else if (!isAside && !(isOfRun && typeof io.signal.reason === 'string'))
    io.stdout.write(
      `The question stays open. To come back to it:\n  ${comeBackCommand(toolCallId, sandbox, reachedBy)}\n`,
    )
  if (ending === null) return 'left'
  // An answer from elsewhere may name nobody.
  return isTaken(open) ? 'taken' : 'too late'
}

/** Says that a call needs no decision any more, because a person has allowed it before. */
export async function tellAllowed(
  record: QuestionRecord,
  { sandbox, io }: Pick<DialogOptions, 'sandbox' | 'io'>,
): Promise<void> {
  const { answerFile } = await channelOf(sandbox).read(record.toolCallId)
  const covers = answerFile?.grant?.covers
  if (covers !== undefined)
    io.stdout.write(`${subjectText(record, io)}Allowed before: ${printableLine(covers)}\n`)
}

/** Who asks. A name may be long, and the form shows its beginning alone. */
function askerText({ asker }: QuestionRecord, { stdout }: CliIo): string {
  if (!asker) return ''
  const text = `A subagent asks: ${printableLine(asker.agent ?? 'it gives no name', 500)}`
  return `\n${behindBars(wrap(text, widthIn(stdout)))}\n`
}

/** What a permission was for stays on the screen, and how it ended. */
function subjectText({ subject }: QuestionRecord, { stdout }: CliIo): string {
  return subject
    ? `\n${behindBars(firstLines(subjectLines(subject, widthIn(stdout)), MOST_SUBJECT_LINES))}`
    : ''
}

const widthIn = ({ columns }: CliIo['stdout']): number => Math.max(20, (columns || 80) - 3)

const behindBars = (lines: readonly string[]): string => lines.map((line) => `│ ${line}\n`).join('')

function endingOf(open: OpenQuestion, dismissal: AbortSignal, error: unknown): string | null {
  if (error instanceof AskError) return `The answer was not taken: ${printableLine(error.message)}`
  const receipt = dismissal.aborted ? (dismissal.reason as Receipt) : undefined
  return receipt || isDone(open.session.getSnapshot()) ? farewell(open, receipt) : null
}
