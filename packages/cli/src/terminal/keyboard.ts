import { emitKeypressEvents, type Interface, type Key as ReadlineKey } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { CliIo } from '../io.ts'

/** A key that was pressed, or a text that was pasted. */
export interface Key {
  /** Node's name of the key: `up`, `return`, `escape`, …; `paste` for a pasted text; empty for other characters. */
  name: string
  /** What the key types, or the pasted text. Empty for keys that type nothing. */
  text: string
  ctrl: boolean
  meta: boolean
  shift: boolean
}

/** How long a lone Esc waits for the rest of a longer sequence, in milliseconds. */
const ESC_MS = 50
const PASTE_ON = '\u001b[?2004h'
const PASTE_OFF = '\u001b[?2004l'

/** What types no character: control characters, and the sequences of keys. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const CONTROL = /[\u0000-\u001f\u007f]/

/**
 * Takes every key of the terminal until the returned function is called. Ctrl-C interrupts the program, and so does a
 * terminal that is closed.
 */
export function openKeyboard(
  { stdin, stdout, interrupt }: Pick<CliIo, 'stdin' | 'stdout' | 'interrupt'>,
  onKey: (key: Key) => void,
): () => void {
  // A stream of its own: nobody can catch the errors that readline throws when a terminal is closed.
  const keyboard = new PassThrough()
  let pasted: string | null = null
  const onKeypress = (text: string | undefined, key: ReadlineKey): void => {
    const { name = '', ctrl = false, meta = false, shift = false, sequence = '' } = key
    if (name === 'paste-start') pasted = ''
    else if (name === 'paste-end') {
      const whole = (pasted ?? '').replace(/\r\n?/g, '\n')
      pasted = null
      onKey({ name: 'paste', text: whole, ctrl: false, meta: false, shift: false })
    } else if (pasted !== null) pasted += sequence
    // In raw mode Ctrl-C is only a key.
    else if (ctrl && name === 'c') interrupt('SIGINT')
    else if (isTyped(text, key)) onKey({ name: '', text: text ?? '', ctrl: false, meta: false, shift })
    else onKey({ name, text: '', ctrl, meta, shift })
  }
  // The signal of a closed terminal may reach only the shell.
  const onEnd = (): void => interrupt('SIGHUP')
  for (const event of ['end', 'close']) stdin.on(event, onEnd)
  emitKeypressEvents(keyboard, { escapeCodeTimeout: ESC_MS } as unknown as Interface)
  keyboard.on('keypress', onKeypress)
  stdin.setRawMode?.(true)
  stdin.pipe(keyboard, { end: false })
  stdout.write(PASTE_ON)
  return () => {
    stdout.write(PASTE_OFF)
    stdin.unpipe(keyboard)
    stdin.pause()
    stdin.setRawMode?.(false)
    for (const event of ['end', 'close']) stdin.off(event, onEnd)
  }
}

const isTyped = (text: string | undefined, { ctrl, meta }: ReadlineKey): boolean =>
  text !== undefined && text !== '' && !ctrl && !meta && !CONTROL.test(text)
