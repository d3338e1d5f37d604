import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createKeyboard } from '../../../src/terminal/keyboard/keyboard.ts'
import { hiddenLines } from '../../../src/terminal/lines/hidden-lines.ts'
import { createFakeTerminal } from '../../fake-terminal.ts'
import { writeScenario } from '../../write-scenario.ts'

/** The lines of what a terminal sends, in pieces. */
async function linesOf(...pieces: string[]): Promise<(string | null)[]> {
  const { io } = createFakeTerminal()
  const keyboard = createKeyboard(io)
  const lines: (string | null)[] = []
  keyboard.read({ onKey: hiddenLines((line) => lines.push(line)) })
  for (const piece of pieces) {
    io.stdin.emit('data', Buffer.from(piece))
    await new Promise(setImmediate)
  }
  io.interrupt('SIGTERM')
  await keyboard.close()
  return lines
}

it.each([
  ['is what was typed before Enter, corrections too', ['pqsz\u007fs\r', 'next\n'], ['pqss', 'next']],
  ['without a line goes on', ['\r'], ['']],
  ['in several lines is none, nor is a part of it', ['first\rsecond\r', 'next\r'], [null, 'next']],
])('a hidden line %s', async (_, pieces, lines) => {
  expect(await linesOf(...pieces)).toEqual(lines)
})

it('a hidden line that was pasted between marks is whole', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const { io } = createFakeTerminal()
  const keyboard = createKeyboard(io)
  const lines: (string | null)[] = []
  keyboard.read({ onKey: hiddenLines((line) => lines.push(line)) })
  io.stdin.emit('data', Buffer.from('\u001b[200~-----BEGIN\rKEY-----\u001b[201~'))
  vi.advanceTimersByTime(100)
  await new Promise(setImmediate)
  io.stdin.emit('data', Buffer.from('\r'))
  await new Promise(setImmediate)
  expect(lines).toEqual(['-----BEGIN\nKEY-----'])
  io.interrupt('SIGTERM')
  await keyboard.close()
})

it('a secret that is declined elsewhere, such as before its prompt, leaves a terminal that shows what is typed', async () => {
  vi.stubEnv('XDG_STATE_HOME', await tempDir())
  const terminal = createFakeTerminal()
  const modes: boolean[] = []
  terminal.io.stdin.setRawMode = (mode) => modes.push(mode)
  const workdir = await tempDir()
  const ask = { questions: [{ id: 'token', question: 'The token?', secret: true }] }
  const scenario = await writeScenario(workdir, { ask }, { say: 'All set.' })
  const args = ['--screen-reader', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r']
  const exitCode = terminal.run('run', ...args)
  await terminal.at('The token?')
  await submitAnswer(new LocalSandbox({ workdir }), { toolCallId: 'r-1', status: 'declined' })
  expect(await exitCode).toBe(0)
  expect(modes.at(-1)).toBe(false)
  expect(terminal.io.stdin.listenerCount('data')).toBe(0)
})
