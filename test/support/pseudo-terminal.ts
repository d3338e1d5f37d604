import { stripVTControlCharacters } from 'node:util'
import { type IPty, spawn } from '@lydell/node-pty'
import { expect, onTestFinished, vi } from 'vitest'

/** A program in a terminal of its own, until the test ends. */
export interface PseudoTerminal {
  pid: number
  /** Everything shown so far, without colours and cursor movements. */
  screen(): string
  /** The same with them. */
  output(): string
  /** Waits until `text` is shown after what was waited for before, then presses keys. */
  at(text: string, ...keys: string[]): Promise<void>
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
  { cwd, env = {} }: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
): PseudoTerminal {
  const terminal = spawn(command, [...args], {
    cols: 100,
    rows: 60,
    name: 'xterm-256color',
    env: Object.fromEntries(
      Object.entries({ ...process.env, CI: undefined, ...env }).filter(([, value]) => value !== undefined),
    ),
    ...(cwd !== undefined && { cwd }),
  }) as Destroyable
  let output = ''
  let seen = 0
  terminal.onData((data) => {
    output += data
  })
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
      for (const key of keys) terminal.write(key)
    },
    close: () => terminal.destroy(),
    ended,
  }
}
