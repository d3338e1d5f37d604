import type { CliIo } from '../../io.ts'
import type { Key } from './key.ts'
import { createKeyReader } from './key-reader.ts'

/**
 * Pastes come between marks, and keys by the kitty keyboard protocol: it tells Esc from a sequence, and names other layouts'
 * keys.
 */
const MODES_ON = '\u001b[?2004h\u001b[>5u'
const MODES_OFF = '\u001b[<u\u001b[?2004l'
/** Who types on at the end has stopped after this, in milliseconds. */
const QUIET_MS = 300
/** Something that types without end keeps nobody from leaving for longer, in milliseconds. */
const LONGEST_QUIET_MS = 3_000

export type CloseKeyboard = (readsOn?: 'reads on') => Promise<void>

/**
 * Takes every key of the terminal until the returned function is called. Ctrl-C interrupts the program, and so does a
 * terminal that is closed. What is typed on at the end is lost: the shell would run it. So the returned function resolves
 * once nothing was typed for a moment, or at once where the program was interrupted, or where `readsOn` says that another one
 * takes the keys.
 */
export function openKeyboard(
  { stdin, stdout, signal, interrupt }: Pick<CliIo, 'stdin' | 'stdout' | 'signal' | 'interrupt'>,
  onKey: (key: Key) => void,
): CloseKeyboard {
  let isClosing = false
  const reader = createKeyReader((key) => {
    // In raw mode Ctrl-C is only a key.
    if (key.ctrl && key.name === 'c') interrupt('SIGINT')
    else if (!isClosing) onKey(key)
  })
  // The signal of a closed terminal may reach only the shell.
  const onEnd = (): void => interrupt('SIGHUP')
  // Older consoles print a part of what they do not know.
  const modes = process.env.TERM === 'linux' ? { on: '', off: '' } : { on: MODES_ON, off: MODES_OFF }
  const enter = (): void => {
    stdin.setRawMode?.(true)
    stdout.write(modes.on)
  }
  const leave = (): void => {
    stdout.write(modes.off)
    stdin.setRawMode?.(false)
  }
  // The shell that comes after a crash, or after a stop, must not get these keys.
  let isStopped = false
  const onStop = (): void => {
    leave()
    isStopped = true
    process.kill(process.pid, 'SIGSTOP')
  }
  const onGoOn = (): void => {
    if (isStopped) enter()
    isStopped = false
  }
  const listeners = [
    ['exit', leave],
    ['SIGTSTP', onStop],
    ['SIGCONT', onGoOn],
  ] as const
  for (const [event, listener] of listeners) process.on(event, listener)
  for (const event of ['end', 'close']) stdin.on(event, onEnd)
  stdin.on('data', reader.read).resume()
  enter()
  return async (readsOn) => {
    isClosing = true
    if (!readsOn) await quiet({ stdin, signal })
    stdin.off('data', reader.read)
    reader.close()
    stdin.pause()
    leave()
    for (const event of ['end', 'close']) stdin.off(event, onEnd)
    for (const [event, listener] of listeners) process.off(event, listener)
  }
}

/** Resolves once nothing has come for a moment, at the latest after some seconds, or when the signal aborts. */
export async function quiet(
  { stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>,
  momentMs = QUIET_MS,
): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      clearTimeout(latest)
      stdin.off('data', again)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, momentMs)
    const latest = setTimeout(end, LONGEST_QUIET_MS)
    const again = (): unknown => timer.refresh()
    stdin.on('data', again)
    signal.addEventListener('abort', end)
  })
}
