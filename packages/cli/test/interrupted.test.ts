import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, listQuestions } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeScenario } from './write-scenario.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const questions = [{ question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }]

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
/** Signals in quick succession: each pair, and what a client sends together with its terminal. */
const ORDERS = [
  ...SIGNALS.flatMap((first) => SIGNALS.map((second) => [first, second])),
  ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP', 'SIGINT'],
  ['SIGHUP', 'SIGTERM', 'SIGINT', 'SIGHUP', 'SIGTERM'],
]

const commands = {
  async run(workdir: string) {
    const scenario = await writeScenario(workdir, { ask: { questions } }, { say: 'All set.' })
    return start('run', '--scenario', scenario, '--workdir', workdir)
  },
  async mcp(workdir: string) {
    const child = start('mcp', '--workdir', workdir)
    const clientInfo = { name: 'test', version: '1' }
    const send = (message: object) =>
      child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
    send({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
    })
    await once(child.stdout as NodeJS.ReadableStream, 'data')
    send({ method: 'notifications/initialized' })
    send({ id: 2, method: 'tools/call', params: { name: 'ask_user_question', arguments: { questions } } })
    return child
  },
}

function start(...args: string[]): ChildProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout?.resume()
  child.stdin?.on('error', () => {}) // It may be gone.
  return child
}

/** The command once its question is open. */
async function asking(command: keyof typeof commands) {
  const workdir = await tempDir()
  const child = await commands[command](workdir)
  const sandbox = new LocalSandbox({ workdir })
  const [question] = await vi.waitFor(async () => {
    const open = await listQuestions(sandbox)
    expect(open).toHaveLength(1)
    return open
  })
  const { toolCallId = '' } = question ?? {}
  const host = createFileHostChannel({ files: sandbox.files })
  const ended = once(child, 'close').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as keyof typeof EXIT_CODES,
  }))
  return { child, ended, state: async () => (await host.read(toolCallId)).record?.state }
}

describe.each(['run', 'mcp'] as const)('sandagent %s that waits for an answer', (command) => {
  it.each(ORDERS.map((order) => order.join(', ')))('withdraws its question on %s', async (order) => {
    const { child, ended, state } = await asking(command)
    for (const signal of order.split(', ') as NodeJS.Signals[]) {
      child.kill(signal)
      // The system delivers signals that are pending together in an order of its own.
      await new Promise((resolve) => setImmediate(resolve))
    }
    const { code, signal } = await ended
    // A signal that comes while Node ends the process has its default effect: for a shell, that is the same code.
    expect(Object.values(EXIT_CODES)).toContain(code ?? EXIT_CODES[signal])
    expect(await state()).toBe('aborted')
  })
})

it('withdraws the question of sandagent mcp at the end of its input, with signals right behind it', async () => {
  const { child, ended, state } = await asking('mcp')
  child.stdin?.end()
  for (const signal of SIGNALS) child.kill(signal)
  await ended
  expect(await state()).toBe('aborted')
})
