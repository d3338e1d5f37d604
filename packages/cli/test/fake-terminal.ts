import { PassThrough } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { receiptsWritten } from '@sandagent/runner'
import { expect, vi } from 'vitest'
import { createTerminalScreen } from '../../../test/support/terminal/terminal-screen.ts'
import { runCli } from '../src/cli.ts'
import type { CliIo } from '../src/io.ts'
import { createKeyboard, type Keyboard } from '../src/terminal/keyboard/keyboard.ts'

// Ink draws only once where it finds CI.
process.env.CI = 'false'

export const KEYS = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  esc: '\u001b',
  space: ' ',
  tab: '\t',
  ctrlC: '\u0003',
}

/** A terminal with a person who types when they have read what they wait for. */
export interface FakeTerminal {
  io: CliIo
  keyboard: Keyboard
  /** Everything shown so far, without colours and cursor movements. */
  screen(): string
  /** The same with them. */
  output(): string
  /** What is on the screen now. */
  view(): Promise<string>
  errors(): string
  /** Waits until `text` is on the screen, then presses keys. */
  at(text: string | RegExp, ...keys: string[]): Promise<void>
  /** Waits until a form with `text` takes keys, then presses keys. */
  inForm(text: string, ...keys: string[]): Promise<void>
  /** Waits until plain lines show `text` and then their prompt, both after the line before, then types a line. */
  atPrompt(text: string | RegExp, line: string): Promise<void>
  /** Runs a command line to its exit code. What it has to store is stored then. */
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
  const shownNow = createTerminalScreen(columns || 80, rows || 24, { convertEol: true })
  stdout.on('data', (chunk) => shownNow.write(String(chunk)))
  let read = 0
  const at: FakeTerminal['at'] = async (text, ...keys) => {
    await vi.waitFor(async () => {
      const view = await shownNow.view()
      if (typeof text === 'string') expect(view).toContain(text)
      else expect(view).toMatch(text)
    })
    for (const key of keys) stdin.write(key)
  }
  return {
    io,
    keyboard: createKeyboard(io),
    screen: () => stripVTControlCharacters(shown()),
    output: shown,
    view: shownNow.view,
    errors,
    at,
    // The keys are named only once they count.
    inForm: (text, ...keys) =>
      at(new RegExp(`${text.replace(/[?()[\]“”.*+]/g, '\\$&')}[\\s\\S]*Ctrl-C`), ...keys),
    async atPrompt(text, line) {
      await vi.waitFor(() => {
        const unread = shown().slice(read)
        expect(unread).toMatch(text)
        // A line counts from the prompt on.
        expect(unread).toMatch(/\n> $/)
      })
      read = shown().length
      stdin.write(`${line}\n`)
    },
    async run(...args) {
      const exitCode = await runCli(args, io)
      await receiptsWritten() // The command waits two seconds for them.
      return exitCode
    },
  }
}

function collect(stream: PassThrough): () => string {
  let text = ''
  stream.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}
