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

/** A person at a terminal, to be asked one thing after the other. */
export interface Console {
  /** Shows a prompt and resolves to its answer, or to `null` when the person backs out or the console is closed. */
  ask<T>(prompt: (basics: PromptBasics) => Promise<T>): Promise<Exclude<T, symbol> | null>
  /** Shows something before the next prompt. */
  show(print: (basics: PromptBasics) => void): void
  /** Whether there is nothing to ask any more. */
  readonly isClosed: boolean
}

/** How long keys pressed before a question appeared are thrown away, in milliseconds. */
const TYPED_AHEAD_MS = 100
const USUAL_SIZE = { columns: 80, rows: 24 }

/** Opens the terminal for prompts until `use` is done; the prompt that is open when `signal` aborts closes. */
export async function withConsole(
  { stdin, stdout, interrupt }: Pick<CliIo, 'stdin' | 'stdout' | 'interrupt'>,
  signal: AbortSignal,
  use: (console: Console) => Promise<void>,
): Promise<void> {
  // A terminal that does not know its size says 0: each character would get a line of its own, and options none.
  if (stdout.columns === 0) Object.assign(stdout, USUAL_SIZE)
  // Ctrl-C is a key like any other to a terminal in raw mode, and the prompts cannot tell it from Esc.
  const onKey = (_: unknown, key: Key): void => {
    if (key.ctrl && key.name === 'c') interrupt('SIGINT')
  }
  // Where the signal of a closed terminal reaches only the shell, the end of the input tells of it.
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

/**
 * A stream of its own for the prompts: what the terminal fails with when it is closed, readline throws where nobody
 * can catch it.
 */
const keyboardOf = (stdin: CliIo['stdin']): Readable & Writable =>
  Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (mode: boolean) => void stdin.setRawMode?.(mode),
  })

/** Gives each prompt a signal of its own: a prompt that is over still listens to its signal, and would draw again. */
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

/** An Enter that was meant for something else must not answer a question. */
async function dropTypedAhead(stdin: CliIo['stdin']): Promise<void> {
  if (!stdin.setRawMode) return
  stdin.setRawMode(true)
  stdin.resume()
  await sleep(TYPED_AHEAD_MS)
  stdin.pause()
  stdin.setRawMode(false)
}
