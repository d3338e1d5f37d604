import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { answerFilePath } from '@sandagent/files'
import { createSigningKey, parseSigningKeys, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  asked,
  channelOf,
  clientEnvironment,
  connect,
  overHttp,
  recordOf,
  sandagent,
  startProgram,
  tempSandbox,
} from '../support/mcp.ts'

const call = { name: 'ask_user_question', arguments: { questions: [{ question: 'Which colour?' }] } }

describe.each([2025, 2026] as const)('a client of %i that waits', (era) => {
  it('waits beyond its time limit, which every sign of progress begins anew', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox), progressMs: 100 }), { era })
    const progress: number[] = []
    const result = client.callTool(call, {
      timeout: 8000,
      resetTimeoutOnProgress: true,
      onprogress: (notice) => void progress.push(notice.progress),
    })
    result.catch(() => {}) // It is awaited below.
    const { toolCallId } = await asked(sandbox)
    const askedAt = performance.now()
    await vi.waitFor(() => expect(performance.now() - askedAt).toBeGreaterThan(9000))
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } })
    expect((await result).structuredContent).toMatchObject({ kind: 'answered' })
    expect(progress.length).toBeGreaterThan(2)
    expect(progress).toEqual(progress.map((_, index) => index + 1))
  })

  it('gives up without progress, and its question is withdrawn', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox) }), { era })
    const result = client.callTool(call, { timeout: 8000 })
    result.catch(() => {})
    const { toolCallId } = await asked(sandbox)
    await expect(result).rejects.toThrow('Request timed out')
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
    )
  })

  it('loses the connection, and its question is withdrawn', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(await overHttp({ channel: channelOf(sandbox) }), { era })
    client.callTool(call).catch(() => {})
    const { toolCallId } = await asked(sandbox)
    await client.close()
    await vi.waitFor(async () =>
      expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' }),
    )
  })

  it('hears of progress from the command at once', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(startProgram(sandagent, 'mcp', '--workdir', sandbox.workdir), { era })
    const heard = new Promise((resolve) => {
      client.callTool(call, { onprogress: resolve }).catch(() => {})
    })
    const message = `Waiting for the user to answer in the folder ${sandbox.workdir}`
    expect(await heard).toEqual({ progress: 1, message })
  })
})

describe('a client whose call has a time-out for people', () => {
  it('hears that nobody answered', async () => {
    const sandbox = await tempSandbox()
    const client = await connect(
      startProgram(sandagent, 'mcp', '--workdir', sandbox.workdir, '--timeout-ms', '1'),
    )
    expect(await client.callTool(call)).toMatchObject({
      isError: true,
      structuredContent: { kind: 'timed-out', text: expect.stringContaining('Nobody answered') },
    })
  })

  it('hears it of its own form, too', async () => {
    const program = startProgram(sandagent, 'mcp', '--timeout-ms', '1')
    const client = await connect(program, { capabilities: { elicitation: {} } }, (client) =>
      client.setRequestHandler('elicitation/create', () => new Promise(() => {})),
    )
    expect(await client.callTool(call)).toMatchObject({
      isError: true,
      structuredContent: { kind: 'timed-out' },
    })
  })
})

describe('sandagent mcp with the keys of its host', () => {
  it('takes no answer that the host did not sign', async () => {
    const sandbox = await tempSandbox()
    const keys = await parseSigningKeys(await createSigningKey())
    const program = new StdioClientTransport({
      command: process.execPath,
      args: [sandagent, 'mcp', '--workdir', sandbox.workdir],
      env: { ...clientEnvironment(), SANDAGENT_PUBLIC_KEYS: JSON.stringify(keys.publicKeys) },
      stderr: 'pipe',
    })
    const errors = program.stderr as Readable
    const client = await connect(program)
    const result = client.callTool(call)
    const { toolCallId } = await asked(sandbox)
    const answers = { 'Which colour?': 'Red' }
    const unsigned = submitAnswer(sandbox, { toolCallId, answers }, { signingKeys: null })
    await expect(unsigned).rejects.toMatchObject({ code: 'NO_SIGNING_KEY' })
    const forged = { questions: [], answers, status: 'completed', timestamp: new Date().toISOString() }
    await sandbox.files.writeAtomic(answerFilePath(toolCallId), JSON.stringify(forged))
    expect(String(await once(errors, 'data'))).toContain('An answer that is not signed was ignored')
    await rm(join(sandbox.workdir, '.sandagent/approvals'), { recursive: true })
    await submitAnswer(sandbox, { toolCallId, answers: { 'Which colour?': 'Blue' } }, { signingKeys: keys })
    expect(await result).toMatchObject({ structuredContent: { answers: { 'Which colour?': 'Blue' } } })
  })
})

describe('sandagent mcp whose client was killed', () => {
  it('withdraws the question and ends', async () => {
    const sandbox = await tempSandbox()
    const client = spawn(
      process.execPath,
      ['--input-type=module', '-e', CLIENT, sandagent, sandbox.workdir],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        cwd: import.meta.dirname,
      },
    )
    onTestFinished(() => void client.kill('SIGKILL'))
    const [pid] = (await once(client.stdout, 'data')).map(Number) as [number]
    const { toolCallId } = await asked(sandbox)
    expect(isAlive(pid)).toBe(true)
    client.kill('SIGKILL')
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false))
    expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' })
  })
})

/** A client that asks and waits for ever. It prints the process number of its server. */
const CLIENT = `
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
const [, main, workdir] = process.argv
const transport = new StdioClientTransport({ command: process.execPath, args: [main, 'mcp', '--workdir', workdir], env: process.env })
const client = new Client({ name: 'test', version: '1.0.0' })
await client.connect(transport)
console.log(transport.pid)
await client.callTool(${JSON.stringify(call)}, { timeout: 600_000 })
`

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
