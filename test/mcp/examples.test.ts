import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { GivenResponse } from '@sandagent/core/internal'
import { type LocalSandbox, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { asked, connect, recordOf, tempSandbox } from '../support/mcp.ts'

/** Runs an example in the folder of a sandbox. */
function start(name: string, { workdir }: LocalSandbox, ...args: string[]) {
  const example = spawn(process.execPath, [join(root, 'examples/mcp', name), workdir, ...args], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void example.kill('SIGKILL'))
  return example
}

describe('examples/mcp/server.mjs', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'lets a client ask, and withdraws what is open at %s',
    async (signal) => {
      const sandbox = await tempSandbox()
      const server = start('server.mjs', sandbox)
      const [, port] = /port: (\d+)/.exec(String(await once(server.stdout, 'data'))) ?? []
      const address = new URL(`http://127.0.0.1:${port}/mcp`)
      const client = await connect(new StreamableHTTPClientTransport(address), { era: 2026 })
      const ask = (question: string) =>
        client.callTool({ name: 'ask_user_question', arguments: { questions: [{ question }] } })

      const result = ask('Which colour?')
      await submitAnswer(sandbox, {
        toolCallId: (await asked(sandbox)).toolCallId,
        answers: { 'Which colour?': 'Blue' },
      })
      expect((await result).structuredContent).toMatchObject({ answers: { 'Which colour?': 'Blue' } })

      ask('And which shape?').catch(() => {})
      const { toolCallId } = await asked(sandbox)
      server.kill(signal)
      expect(await once(server, 'exit')).toEqual([0, null])
      expect(await recordOf(sandbox, toolCallId)).toMatchObject({ state: 'aborted' })
    },
  )
})

describe('examples/mcp/client.mjs', () => {
  it('shows what a server asks, and hands back typed values', async () => {
    const sandbox = await tempSandbox()
    const everything = join(root, 'test/node_modules/@modelcontextprotocol/server-everything/dist/index.js')
    const client = start('client.mjs', sandbox, 'trigger-elicitation-request', process.execPath, everything)
    const output = text(client.stdout)
    const { toolCallId, questions } = await asked(sandbox)
    expect(questions).toHaveLength(13)
    const typed = (freeText: string): GivenResponse => ({ selected: [], freeText, source: 'human' })
    await submitAnswer(sandbox, { toolCallId, responses: { name: typed('Zoë'), integer: typed('7') } })
    expect(await output).toContain('- Name: Zoë')
    expect(await output).toContain('- Favorite Integer: 7')
  })
})
