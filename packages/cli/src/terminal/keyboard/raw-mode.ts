import { isatty } from 'node:tty'
import type { CliIo } from '../../io.ts'

/**
 * Pastes come between marks, and keys by the kitty keyboard protocol: it tells Esc from a sequence, and names other layouts'
 * keys.
 */
const MODES_ON = '\u001b[?2004h\u001b[>5u'
const MODES_OFF = '\u001b[<u\u001b[?2004l'
/** These print a part of what they do not know. */
const OLDER_CONSOLES = ['linux', 'dumb']

/** How a terminal sends keys: with the modes that `keys` has, or as every terminal does. */
type Raw = 'keys' | 'bare'

/**
 * Raw mode: the terminal does nothing with keys. The shell that comes after a crash, or after a stop, does not get it.
 *
 * @param beforeStop called before the process stops. What it returns is called when the process goes on
 */
export function createRawMode(
  { stdin, stdout }: Pick<CliIo, 'stdin' | 'stdout'>,
  beforeStop: () => () => void,
) {
  let mode: Raw | null = null
  const knowsModes = stdout.isTTY === true && !OLDER_CONSOLES.includes(process.env.TERM ?? '')
  const write = (modes: string): void => {
    if (mode === 'keys' && knowsModes) stdout.write(modes)
  }
  const begin = (): void => {
    stdin.setRawMode?.(true)
    write(MODES_ON)
  }
  const end = (): void => {
    write(MODES_OFF)
    stdin.setRawMode?.(false)
  }
  const onStop = (): void => {
    const goOn = beforeStop()
    end()
    // Without a listener, the process stops here until it goes on. Where no shell could let it go on, it does not stop.
    process.off('SIGTSTP', onStop)
    process.kill(process.pid, 'SIGTSTP')
    process.on('SIGTSTP', onStop)
    begin()
    goOn()
  }
  // A shell gives the terminal back as it was for itself.
  const onGoOn = (): void => {
    end()
    begin()
  }
  const listeners = [
    ['exit', end],
    ['SIGTSTP', onStop],
    ['SIGCONT', onGoOn],
  ] as const
  return {
    isOn: (): boolean => mode !== null,
    enter(next: Raw): void {
      if (mode === null) for (const [event, listener] of listeners) process.on(event, listener)
      if (mode === next) return
      write(MODES_OFF)
      mode = next
      begin()
    },
    leave(): void {
      if (mode === null) return
      end()
      mode = null
      for (const [event, listener] of listeners) process.off(event, listener)
    },
    /** Stops the programs of this terminal, as Ctrl-Z does in other modes. */
    stop(): void {
      if (isatty(stdin.fd ?? -1) && process.platform !== 'win32') process.kill(0, 'SIGTSTP')
    },
  }
}
