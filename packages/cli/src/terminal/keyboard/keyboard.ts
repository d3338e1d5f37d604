// Why it is so: docs/decisions/0076-the-terminal-draws-the-pages-session.md

import { isatty } from 'node:tty'
import { ARRIVAL_GUARD_MS } from '@sandagent/core/internal'
import type { CliIo } from '../../io.ts'
import type { Key } from './key.ts'
import { createKeyReader } from './key-reader.ts'
import { createLineReader } from './line-reader.ts'
import { createRawMode } from './raw-mode.ts'

/** Something that types without end keeps nobody from leaving for longer, in milliseconds. */
const LONGEST_QUIET_MS = 3_000

/** Who gets what is typed. */
interface Reader {
  /** Takes keys: the terminal does nothing with them. A reader that takes neither keys nor lines loses the keys. */
  onKey?(key: Key): void
  /** Takes lines, which the terminal shows and lets correct. */
  onLine?(line: string): void
  /** What Ctrl-C does. Without it, what it does for the reader before; at first, it interrupts the program. */
  onCtrlC?(): void
  /** The process is about to be stopped. What this returns is called when it goes on. */
  onStop?(): () => void
}

/** What is typed in a terminal. */
export interface Keyboard {
  /** Gives all that is typed to a reader, until the returned function is called. Who read before waits meanwhile. */
  read(reader: Reader): () => void
  /** Leaves the terminal to another program until that ends. */
  lend<T>(use: () => Promise<T>): Promise<T>
  /** Resolves once nothing was typed for a moment, and what is typed reaches who reads now. */
  quiet(): Promise<void>
  /** Nobody reads any more. Resolves when the terminal is as it was. */
  close(): Promise<void>
}

/** The terminal is another program's. */
const LENT: Reader = {}

/**
 * Takes what is typed while somebody reads. The terminal stays in raw mode while keys pass from one reader to the next. What is
 * typed on at the end is lost: the shell would run it. A terminal that is closed interrupts the program.
 */
export function createKeyboard(io: Pick<CliIo, 'stdin' | 'stdout' | 'signal' | 'interrupt'>): Keyboard {
  const { stdin, interrupt } = io
  const readers: Reader[] = []
  const top = (): Reader | undefined => readers.at(-1)
  const raw = createRawMode(io, () => {
    const goOn = [...readers].map((reader) => reader.onStop?.())
    return () => {
      for (const each of goOn) each?.()
    }
  })
  let changes = 0
  let settled = Promise.resolve()

  const keys = createKeyReader((key) => {
    // In raw mode both are only keys.
    if (key.ctrl && key.name === 'c') {
      const { onCtrlC } = readers.findLast((reader) => reader.onCtrlC) ?? {}
      if (onCtrlC) onCtrlC()
      else interrupt('SIGINT')
    } else if (key.ctrl && key.name === 'z') raw.stop()
    else top()?.onKey?.(key)
  })
  const lines = createLineReader((line) => top()?.onLine?.(line))
  const onData = (chunk: Buffer): void => (raw.isOn() ? keys : lines).read(chunk)
  // The signal of a closed terminal may reach only the shell. Ctrl-D ends lines, and does what Ctrl-C does.
  const onEnd = (): void => interrupt(!raw.isOn() && isatty(stdin.fd ?? -1) ? 'SIGINT' : 'SIGHUP')

  let isListening = false
  function listen(next: boolean): void {
    if (isListening === next) return
    isListening = next
    for (const event of ['end', 'close']) stdin[next ? 'on' : 'off'](event, onEnd)
    if (next) stdin.on('data', onData).resume()
    else stdin.off('data', onData).pause()
  }

  /** Brings the terminal into the mode of who reads now. */
  async function settle(): Promise<void> {
    changes += 1
    const change = changes
    keys.drop()
    lines.drop()
    const reader = top()
    if (reader && reader !== LENT && !reader.onLine) {
      raw.enter(reader.onKey ? 'keys' : 'bare')
      listen(true)
      return
    }
    if (raw.isOn()) await quiet(io)
    if (change !== changes) return
    raw.leave()
    keys.close()
    listen(reader?.onLine !== undefined)
  }
  function push(reader: Reader): () => void {
    readers.push(reader)
    settled = settle()
    return () => {
      const at = readers.indexOf(reader)
      if (at === -1) return
      readers.splice(at, 1)
      settled = settle()
    }
  }

  return {
    read: push,
    async lend(use) {
      const takeBack = push(LENT)
      await settled
      try {
        return await use()
      } finally {
        takeBack()
      }
    },
    async quiet() {
      await quiet(io)
      await settled
    },
    async close() {
      readers.length = 0
      settled = settle()
      await settled
    },
  }
}

/** Resolves once nothing has come for a moment, at the latest after some seconds, or when the signal aborts. */
async function quiet({ stdin, signal }: Pick<CliIo, 'stdin' | 'signal'>): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      clearTimeout(latest)
      stdin.off('data', again)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ARRIVAL_GUARD_MS)
    const latest = setTimeout(end, LONGEST_QUIET_MS)
    const again = (): unknown => timer.refresh()
    stdin.on('data', again)
    signal.addEventListener('abort', end)
  })
}
