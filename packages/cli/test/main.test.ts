import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createFileHostChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeScenario } from './write-scenario.ts'

const main = fileURLToPath(new URL('../dist/main.js', import.meta.url))
const colour = { id: 'colour', question: 'Which colour?', options: [{ label: 'Red' }, { label: 'Blue' }] }

const ASK_COLOUR = [{ ask: { questions: [colour] } }, { say: '{{answers.colour}}' }]

/** The command as a process of its own, with its output through a pipe. */
async function start(...steps: object[]) {
  const workdir = await tempDir()
  const scenario = await writeScenario(workdir, ...steps)
  const args = ['run', '--scenario', scenario, '--workdir', workdir, '--run-id', 'r', '--', 'x']
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const sandbox = new LocalSandbox({ workdir })
  const host = createFileHostChannel({ files: sandbox.files })
  const isAsked = async () => expect((await host.read('r-1')).record?.state).toBe('open')
  return {
    child,
    sandbox,
    host,
    output: textOf(child),
    asked: () => vi.waitFor(isAsked),
    ended: once(child, 'close').then(([code]) => code as number | null),
  }
}

function textOf({ stdout }: ChildProcess): () => string {
  let text = ''
  stdout?.on('data', (chunk) => {
    text += chunk
  })
  return () => text
}

describe('sandagent run as a process', () => {
  it('prints the UI stream, and goes on with the answer that comes from elsewhere', async () => {
    const { sandbox, output, asked, ended } = await start(...ASK_COLOUR)
    await asked()
    await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue' } })
    expect(await ended).toBe(0)
    expect(output()).toMatch(/^data: \{"type":"start","messageId":"message-r"\}\n\n/)
    expect(output()).toContain('"delta":"Blue"')
    expect(output()).toMatch(/data: \{"type":"finish"\}\n\ndata: \[DONE\]\n\n$/)
  })

  it('names the folder where a program failed: a misspelt one was made a moment ago', async () => {
    const workdir = join(await tempDir(), 'wrokspace')
    const child = spawn(process.execPath, [main, 'run', '--workdir', workdir, 'sh', 'no-such-file.sh'])
    let complaints = ''
    child.stderr.on('data', (piece) => {
      complaints += piece
    })
    const output = textOf(child)
    expect((await once(child, 'close'))[0]).toBe(1)
    expect(complaints).toContain(`sandagent: The program ran in ${workdir}\n`)
    expect(output()).not.toContain(workdir)
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('settles its question and ends its stream on %s', async (signal, code) => {
    const { child, host, output, asked, ended } = await start(...ASK_COLOUR)
    await asked()
    child.kill(signal)
    expect(await ended).toBe(code)
    expect((await host.read('r-1')).record).toMatchObject({ state: 'aborted' })
    expect(output()).toMatch(/data: \{"type":"abort"\}\n\ndata: \[DONE\]\n\n$/)
  })

  it('ends its stream, and the command that it runs, on SIGTERM', async () => {
    const lasting = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] }
    const { child, output, ended } = await start({ run: lasting })
    await vi.waitFor(() => expect(output()).toContain('tool-input-available'))
    child.kill('SIGTERM')
    expect(await ended).toBe(143)
    expect(output()).toMatch(/data: \{"type":"abort"\}\n\ndata: \[DONE\]\n\n$/)
  })

  it('works on when the reader of its output has gone away', async () => {
    const { child, sandbox, host, asked, ended } = await start(...ASK_COLOUR)
    await asked()
    child.stdout?.destroy()
    await submitAnswer(sandbox, { toolCallId: 'r-1', answers: { 'Which colour?': 'Blue' } })
    expect(await ended).toBe(0)
    expect((await host.read('r-1')).record).toMatchObject({ state: 'answered' })
  })
})
