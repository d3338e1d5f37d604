import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { describe, expect, it, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { startServer, starts } from '../support/servers/start-server.ts'
import { startInTerminal } from '../support/terminal/pseudo-terminal.ts'

describe('the start in a terminal', () => {
  it('says where to answer, if it is started by node alone', async () => {
    const agent = join(starts, 'express/workspace/agent.mjs')
    const terminal = startInTerminal(process.execPath, [agent], { cwd: await tempDir() })
    await terminal.seeing('Answer it in another terminal, in this folder: npx sandagent answer')
  })

  it('asks there, and the agent goes on with the answer', async () => {
    const main = join(root, 'packages/cli/dist/main.js')
    const agent = join(starts, 'express/workspace/agent.mjs')
    const options = ['run', '--agent', 'command', '--workdir', await tempDir()]
    const terminal = startInTerminal(process.execPath, [main, ...options, '--', 'node', agent])
    await terminal.seeing('Ctrl-C', '2', '\r')
    await terminal.seeing('I deploy to Production.')
    expect(await terminal.ended).toBe(0)
  })
})

/** Starts the agent over HTTP, answers its question, and resolves to all that the agent said. */
async function deployed(url: string): Promise<string> {
  const headers = { 'content-type': 'application/json' }
  const chat = fetch(`${url}/api/chat`, { method: 'POST', headers, body: '{"prompt":"Deploy"}' })
  const toolCallId = await vi.waitFor(async () => {
    const { questions } = (await (await fetch(`${url}/api/answer`)).json()) as {
      questions: { toolCallId: string }[]
    }
    expect(questions).toHaveLength(1)
    return questions[0]?.toolCallId
  })
  const body = JSON.stringify({ toolCallId, answers: { 'Where to?': 'Staging' } })
  const answer = await fetch(`${url}/api/answer`, { method: 'POST', headers, body })
  expect(await answer.json()).toMatchObject({ success: true })
  return text((await chat).body as ReadableStream)
}

describe('the start on Express', () => {
  it('asks over HTTP, and the agent goes on with the answer', async () => {
    expect(await deployed(await startServer('express', 'server.mjs'))).toContain('I deploy to Staging.')
  })
})

describe('the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [agent = '', server = ''] = Array.from(
    readme.matchAll(/^```js\n([\s\S]*?)^```$/gm),
    ([, code]) => code,
  )

  it('is one screen', () => {
    expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
  })

  it('shows an agent and a server that run as they stand', async () => {
    expect(agent).toBe(readFileSync(join(starts, 'express/workspace/agent.mjs'), 'utf8'))
    const anyPort =
      "listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port) })"
    const code = server.replace("listen(3000, '127.0.0.1')", anyPort)
    expect(code).toContain(anyPort)
    const url = await startServer('express', '--input-type=module', '--eval', code)
    expect(await deployed(url)).toContain('I deploy to Staging.')
  })
})

describe('the pages of the starts', () => {
  it.each(['terminal', 'express', 'next', 'page'])(
    'docs/start/%s.md shows fewer than 30 lines of code',
    (name) => {
      const page = readFileSync(join(root, `docs/start/${name}.md`), 'utf8')
      const blocks = page.matchAll(/^```(?:js|jsx|ts|tsx) [^\n]*\n([\s\S]*?)^```$/gm)
      const lines = Array.from(blocks, ([, code = '']) => code.split('\n')).flat()
      const code = lines.filter((line) => /^ *(?!\/\/)\S/.test(line))
      expect(code.length).toBeGreaterThan(2)
      expect(code.length).toBeLessThan(30)
    },
  )
})
