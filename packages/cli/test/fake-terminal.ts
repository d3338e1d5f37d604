import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { expect, vi } from 'vitest'
import { runCli } from '../src/cli.ts'
import type { CliIo } from '../src/io.ts'

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  esc: '\u001b',
  space: ' ',
  ctrlC: '\u0003',
}

/** A terminal with a person who types when they have read what they wait for. */
export interface FakeTerminal {
  io: CliIo
  /** Everything shown so far, without colours and cursor movements. */
  screen(): string
  errors(): string
  /** Waits until `text` is shown after what was waited for before, then presses keys. */
  at(text: string, ...keys: string[]): Promise<void>
  /** Runs a command line to its exit code. */
  run(...args: string[]): Promise<number>
}

export function createFakeTerminal({ isTTY = true, columns = 80, rows = 40 } = {}): FakeTerminal {
  const stop = new AbortController()
  const stdin = Object.assign(new PassThrough(), { isTTY, setRawMode: () => {} })
  const stdout = Object.assign(new PassThrough(), { isTTY, columns, rows })
  const stderr = new PassThrough()
  const io: CliIo = { stdin, stdout, stderr, signal: stop.signal, interrupt: (name) => stop.abort(name) }
  const shown = collect(stdout)
  const errors = collect(stderr)
  const screen = () => stripVTControlCharacters(shown())
  let seen = 0
  return {
    io,
    screen,
    errors,
    async at(text, ...keys) {
      await vi.waitFor(() => expect(screen().slice(seen)).toContain(text))
      seen = screen().length
      for (const key of keys) {
        stdin.write(key)
        // A lone Esc is told from the beginning of an arrow key by what follows it.
        if (key === KEYS.esc) continue
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    run: (...args) => runCli(args, io),
  }
}

function collect(stream: PassThrough): () => string {
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
