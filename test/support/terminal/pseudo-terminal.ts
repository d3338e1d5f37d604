import { stripVTControlCharacters } from 'node:util'
import { type IPty, spawn } from '@lydell/node-pty'
import { expect, onTestFinished, vi } from 'vitest'
import { createTerminalScreen, type TerminalScreen } from './terminal-screen.ts'

/** A program in a terminal of its own, until the test ends. */
export interface PseudoTerminal extends Pick<TerminalScreen, 'view' | 'cursor' | 'resize'> {
  pid: number
  /** Everything shown so far, without colours and cursor movements. */
  screen(): string
  /** The same with them. */
  output(): string
  /** Waits until `text` is shown after what was waited for before, then presses keys. */
  at(text: string, ...keys: string[]): Promise<void>
  /** Waits until `text` is on the screen, then presses keys. */
  seeing(text: string | RegExp, ...keys: string[]): Promise<void>
  press(...keys: string[]): void
  /** Closes the window: the system sends SIGHUP, and nothing can be read or written any more. */
  close(): void
  /** Resolves to the exit code when the program ends. */
  ended: Promise<number>
}

/** node-pty closes the master by this; its type leaves it out. */
type Destroyable = IPty & { destroy(): void }

export function startInTerminal(
  command: string,
  args: readonly string[],
  {
    cwd,
    env = {},
    columns = 100,
    rows = 60,
  }: { cwd?: string; env?: NodeJS.ProcessEnv; columns?: number; rows?: number } = {},
): PseudoTerminal {
  const terminal = spawn(command, [...args], {
    cols: columns,
    rows,
    name: 'xterm-256color',
    env: Object.fromEntries(
      Object.entries({ ...process.env, CI: undefined, ...env }).filter(([, value]) => value !== undefined),
    ),
    ...(cwd !== undefined && { cwd }),
  }) as Destroyable
  const shown = createTerminalScreen(columns, rows)
  let output = ''
  let seen = 0
  terminal.onData((data) => {
    output += data
    shown.write(data)
  })
  const press = (...keys: string[]): void => {
    for (const key of keys) terminal.write(key)
  }
  const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  const screen = (): string => stripVTControlCharacters(output)
  onTestFinished(() => {
    try {
      process.kill(terminal.pid, 'SIGKILL')
    } catch {
      // It has ended.
    }
    terminal.destroy()
  })
  return {
    pid: terminal.pid,
    screen,
    output: () => output,
    async at(text, ...keys) {
      await vi.waitFor(() => expect(screen().slice(seen)).toContain(text))
      seen = screen().length
      press(...keys)
    },
    async seeing(text, ...keys) {
      await vi.waitFor(async () => {
        const view = await shown.view()
        if (typeof text === 'string') expect(view).toContain(text)
        else expect(view).toMatch(text)
      })
      press(...keys)
    },
    press,
    view: shown.view,
    cursor: shown.cursor,
    resize(columns, rows) {
      shown.resize(columns, rows)
      terminal.resize(columns, rows)
    },
    close: () => terminal.destroy(),
    ended,
  }
}
