import { emitKeypressEvents, type Key } from 'node:readline'
import { PassThrough, type Readable, type Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { isCancel } from '@clack/prompts'
import type { CliIo } from '../io.ts'

/** What every prompt of `@clack/prompts` takes. */
interface PromptBasics {
  input: Readable
  output: Writable
  signal: AbortSignal
}

/** Asks a person at a terminal one prompt after the other. */
export interface Console {
  /** Shows a prompt. Resolves to its answer, or to `null` when the person backs out or the console is closed. */
  ask<T>(prompt: (basics: PromptBasics) => Promise<T>): Promise<Exclude<T, symbol> | null>
  show(print: (basics: PromptBasics) => void): void
  readonly isClosed: boolean
}

/** How long to collect and drop keys that were pressed before the question, in milliseconds. */
const TYPED_AHEAD_MS = 100
const USUAL_SIZE = { columns: 80, rows: 24 }

/** Opens the terminal for prompts until `use` is done. When `signal` aborts, the open prompt closes. */
export async function withConsole(
  { stdin, stdout, interrupt }: Pick<CliIo, 'stdin' | 'stdout' | 'interrupt'>,
  signal: AbortSignal,
  use: (console: Console) => Promise<void>,
): Promise<void> {
  // A terminal of unknown size reports 0 columns, with which prompts cannot be drawn.
  if (stdout.columns === 0) Object.assign(stdout, USUAL_SIZE)
  // In raw mode Ctrl-C is only a key, and the prompts cannot tell it from Esc.
  const onKey = (_: unknown, key: Key): void => {
    if (key.ctrl && key.name === 'c') interrupt('SIGINT')
  }
  // The signal of a closed terminal may reach only the shell.
  const onEnd = (): void => interrupt('SIGHUP')
  for (const event of ['end', 'close']) stdin.on(event, onEnd)
  const keyboard = keyboardOf(stdin)
  emitKeypressEvents(keyboard)
  keyboard.on('keypress', onKey)
  try {
    await dropTypedAhead(stdin)
    stdin.pipe(keyboard, { end: false })
    await use({
      async ask(prompt) {
        const answer = await untilAborted(signal, (own) =>
          prompt({ input: keyboard, output: stdout, signal: own }),
        )
        return isCancel(answer) ? null : (answer as Exclude<typeof answer, symbol>)
      },
      show: (print) => print({ input: keyboard, output: stdout, signal }),
      get isClosed() {
        return signal.aborted
      },
    })
  } finally {
    stdin.unpipe(keyboard)
    stdin.pause()
    for (const event of ['end', 'close']) stdin.off(event, onEnd)
  }
}

/** A separate stream for the prompts: readline throws the errors of a closed terminal where nobody can catch them. */
const keyboardOf = (stdin: CliIo['stdin']): Readable & Writable =>
  Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void stdin.setRawMode?.(mode),
  })

/** Each prompt gets its own signal: a finished prompt still listens to it, and would draw again. */
async function untilAborted<T>(signal: AbortSignal, prompt: (own: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController()
  const abort = (): void => own.abort()
  signal.addEventListener('abort', abort)
  try {
    if (signal.aborted) abort()
    return await prompt(own.signal)
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** An Enter from before the question must not answer it. */
async function dropTypedAhead(stdin: CliIo['stdin']): Promise<void> {
  if (!stdin.setRawMode) return
  stdin.setRawMode(true)
  stdin.resume()
  await sleep(TYPED_AHEAD_MS)
  stdin.pause()
  stdin.setRawMode(false)
}
