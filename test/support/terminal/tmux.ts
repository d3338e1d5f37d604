import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { expect, onTestFinished, vi } from 'vitest'

export const hasTmux: boolean = spawnSync('tmux', ['-V']).status === 0

/** A program in tmux: a terminal that replies to what programs ask it, until the test ends. */
export interface Tmux {
  /** The lines on the screen. */
  view(): Promise<string>
  /** Waits until `text` is on the screen, then presses keys by tmux's names, such as `Enter` and `1`. */
  seeing(text: string | RegExp, ...keys: string[]): Promise<void>
  press(...keys: string[]): Promise<void>
}

const run = promisify(execFile)

/** @param command a line for a shell */
export async function startInTmux(
  command: string,
  { columns = 80, rows = 24 }: { columns?: number; rows?: number } = {},
): Promise<Tmux> {
  const socket = join(await tempDir(), 'tmux')
  const tmux = async (...args: string[]): Promise<string> =>
    (await run('tmux', ['-S', socket, '-f', '/dev/null', ...args])).stdout
  const { CI: _, TMUX: __, ...env } = process.env
  await run(
    'tmux',
    [
      ...['-S', socket, '-f', '/dev/null', 'new-session', '-d', '-x', `${columns}`, '-y', `${rows}`],
      ...['/bin/sh', '-c', command, ';', 'set-option', 'remain-on-exit', 'on'],
    ],
    { env },
  )
  onTestFinished(async () => void (await tmux('kill-server')))
  const view = async (): Promise<string> => (await tmux('capture-pane', '-p')).trimEnd()
  const press = async (...keys: string[]): Promise<void> => void (await tmux('send-keys', ...keys))
  return {
    view,
    press,
    async seeing(text, ...keys) {
      await vi.waitFor(async () => {
        const shown = await view()
        if (typeof text === 'string') expect(shown).toContain(text)
        else expect(shown).toMatch(text)
      })
      if (keys.length > 0) await press(...keys)
    },
  }
}
