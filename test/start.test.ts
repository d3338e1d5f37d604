import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { LocalSandbox, listRuns, stopRun } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../scripts/run.mjs'
import { chromiumPath, launchChromium } from './support/chromium.ts'
import { startInTerminal } from './support/pseudo-terminal.ts'
import { tempDir } from './support/temp-dir.ts'

const starts = join(root, 'examples/start')

/** Runs a program of a start as its `npm` script would, until the test ends; resolves to the address that it prints. */
async function serve(name: string, ...args: string[]): Promise<string> {
  const cwd = join(starts, name)
  const PATH = [join(cwd, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const env = { ...process.env, PATH, PORT: '0', NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: undefined }
  const server = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'close')
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await ended
    const sandbox = new LocalSandbox({ workdir: join(cwd, 'workspace') })
    for (const { runId } of await listRuns(sandbox)) await stopRun(sandbox, runId)
    await rm(join(cwd, 'workspace/.sandagent'), { recursive: true })
  })
  let output = ''
  server.stdout.on('data', (printed) => {
    output += printed
  })
  const port = await vi.waitFor(() => {
    const found = /127\.0\.0\.1(?:', family: 'IPv4', port: |:)(\d+)/.exec(output)?.[1]
    expect(found).toBeDefined()
    return found
  })
  return `http://127.0.0.1:${port}`
}

describe('the start in a terminal', () => {
  it('asks there, and the agent goes on with the answer', async () => {
    const main = join(root, 'packages/cli/dist/main.js')
    const agent = join(starts, 'terminal/agent.mjs')
    const options = ['run', '--agent', 'command', '--workdir', await tempDir()]
    const terminal = startInTerminal(process.execPath, [main, ...options, '--', 'node', agent])
    await terminal.at('Where to?', '2', '\r')
    await terminal.at('I deploy to Production.')
    expect(await terminal.ended).toBe(0)
  })
})

describe('the start on Express', () => {
  it('asks over HTTP, and the agent goes on with the answer', async () => {
    const url = await serve('express', 'server.mjs')
    const chat = fetch(`${url}/api/chat`, { method: 'POST' })
    const toolCallId = await vi.waitFor(async () => {
      const { questions } = (await (await fetch(`${url}/api/answer`)).json()) as {
        questions: { toolCallId: string }[]
      }
      expect(questions).toHaveLength(1)
      return questions[0]?.toolCallId
    })
    const answer = await fetch(`${url}/api/answer`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ toolCallId, answers: { 'Where to?': 'Staging' } }),
    })
    expect(await answer.json()).toMatchObject({ success: true })
    const { body } = await chat
    expect(await text(body as ReadableStream)).toContain('I deploy to Staging.')
  })
})

describe.skipIf(!chromiumPath)('the start on Next.js', () => {
  it('asks in the page, and the agent goes on with the answer', async () => {
    const next = 'node_modules/next/dist/bin/next'
    const url = await serve('next', next, 'dev', '--hostname', '127.0.0.1', '--port', '0')
    const browser = await launchChromium()
    onTestFinished(() => browser.close())
    const page = await browser.newPage()
    await page.goto(url, { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Deploy' }).click()
    await page.getByRole('radio', { name: 'Staging' }).click()
    await page.getByText('I deploy to Staging.').waitFor()
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
