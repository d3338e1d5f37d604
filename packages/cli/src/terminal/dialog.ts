import { AskError, printableLine, type QuestionRecord, type Receipt, UNDO_MS } from '@sandagent/core/internal'
import { type AnswerableSandbox, channelOf } from '@sandagent/sdk/internal'
import { type CliIo, wantsLines } from '../io.ts'
import { comeBackCommand, type ReachedBy } from './come-back.ts'
import { farewell } from './farewell.ts'
import { firstLines, wrap } from './form/draw/wrap.ts'
import { editorOf } from './form/edit/editor.ts'
import type { Keyboard } from './keyboard/keyboard.ts'
import { isDone, isTaken, type OpenQuestion, openSession } from './session/open-session.ts'
import type { CallerOptions } from './session/record-transport.ts'
import { subjectLines } from './subject-lines.ts'

/** The most lines of a tool call that stay when the form has gone. */
const MOST_SUBJECT_LINES = 20

export interface DialogOptions {
  sandbox: AnswerableSandbox
  io: CliIo
  keyboard: Keyboard
  /** Aborts when the question ends. Its reason is the receipt. */
  dismissal: AbortSignal
  /** Who answers, and by which policy. Default: whoever is at the terminal. */
  answerer?: CallerOptions | undefined
  /** Whether a signal that ends this process also withdraws the question: the run that asks is in it. */
  isOfRun?: boolean | undefined
  /** Aborts when the person leaves the form of a question whose agent works on, and the run with it. */
  left?: AbortSignal | undefined
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
    keyboard,
    dismissal,
    reachedBy,
    answerer,
    isOfRun = false,
    left,
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
  const signal = AbortSignal.any([dismissal, io.signal, over.signal, ...(left ? [left] : [])])
  // Loading the form takes a moment.
  const stopReading = keyboard.read({})
  io.stdout.write(askerText(record, io))
  try {
    if (screenReader)
      await (await import('./lines/lines-dialog.ts')).askInLines({
        session,
        attach,
        asked: record,
        io,
        keyboard,
        signal,
      })
    else {
      const { showForm } = await import('./form/show-form.tsx')
      await showForm({
        open,
        stdout: io.stdout,
        ctrlC: isOfRun && !left ? 'stop the agent' : 'leave it open',
        keyboard,
        editor: editorOf(io),
        signal,
      })
    }
  } finally {
    await open.close()
    stopReading()
  }
  const ending = endingOf(open, dismissal, over.signal.reason)
  if (ending !== null) io.stdout.write(`${subjectText(record, io)}${ending}\n`)
  // Without an ending, this process leaves the question. A run that ends by a signal withdraws it.
  else if (!left && !(isOfRun && typeof io.signal.reason === 'string'))
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
