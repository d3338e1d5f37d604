import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { startServer, starts } from '../support/servers/start-server.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'

describe('the start in a terminal', () => {
  it('asks there, and the agent goes on with the answer', async () => {
    const main = join(root, 'packages/cli/dist/main.js')
    const agent = join(starts, 'terminal/agent.mjs')
    const options = ['run', '--agent', 'command', '--workdir', await tempDir()]
    const terminal = startInTerminal(process.execPath, [main, ...options, '--', 'node', agent])
    await terminal.seeing('Ctrl-C', '2')
    await terminal.seeing('I deploy to Production.')
    expect(await terminal.ended).toBe(0)
  })
})

describe('the start on Express', () => {
  it('asks over HTTP, and the agent goes on with the answer', async () => {
    const url = await startServer('express', 'server.mjs')
    const json = { 'content-type': 'application/json' }
    const chat = fetch(`${url}/api/chat`, { method: 'POST', headers: json, body: '{"prompt":"Deploy"}' })
    const toolCallId = await vi.waitFor(async () => {
      const { questions } = (await (await fetch(`${url}/api/answer`)).json()) as {
        questions: { toolCallId: string }[]
      }
      expect(questions).toHaveLength(1)
      return questions[0]?.toolCallId
    })
    const answer = await fetch(`${url}/api/answer`, {
      method: 'POST',
      headers: json,
      body: JSON.stringify({ toolCallId, answers: { 'Where to?': 'Staging' } }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
    const { body } = await chat
    expect(await text(body as ReadableStream)).toContain('I deploy to Staging.')
  })
})

describe('the pages of the starts', () => {
  it.each(['terminal', 'express', 'next'])('docs/start/%s.md shows fewer than 30 lines of code', (name) => {
    const page = readFileSync(join(root, `docs/start/${name}.md`), 'utf8')
    const blocks = page.matchAll(/^```(?:js|jsx|ts|tsx) [^\n]*\n([\s\S]*?)^```$/gm)
    const lines = Array.from(blocks, ([, code = '']) => code.split('\n')).flat()
    const code = lines.filter((line) => /^ *(?!\/\/)\S/.test(line))
    expect(code.length).toBeGreaterThan(5)
    expect(code.length).toBeLessThan(30)
  })
})
