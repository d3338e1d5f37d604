import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { hasPostgres, startPostgres } from '@sandagent/fixtures/servers/postgres-server.ts'
import { createHttpRunnerChannel } from '@sandagent/fleet'
import { createRunnerToken } from '@sandagent/fleet-host'
import { askUser, receiptsWritten } from '@sandagent/runner'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { root } from '../../scripts/run.mjs'

const folder = join(root, 'examples/fleet')

async function startHost(env: Record<string, string>): Promise<{ url: string; process: ChildProcess }> {
  const child = spawn(process.execPath, [join(folder, 'host.mjs')], {
    env: { ...process.env, ...env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  for await (const line of createInterface(child.stdout)) {
    const [, url] = /^ready (\S+)$/.exec(line) ?? []
    if (url) return { url, process: child }
  }
  throw new Error('The host ended before it was ready')
}

describe.runIf(hasPostgres)('examples/fleet', () => {
  it('asks by one host, is answered by another, and stops when told to', async () => {
    const server = await startPostgres()
    onTestFinished(() => server.remove())
    const key = await createSigningKey()
    const env = { STORE: server.url(), ANSWER_TOKEN: 'of people', SANDAGENT_SIGNING_KEY: key }
    const [one, two] = [await startHost(env), await startHost(env)]
    const signingKeys = await parseSigningKeys(key)
    const token = await createRunnerToken({ namespace: 'run-1', runId: 'run-1' }, { signingKeys })
    const channel = createHttpRunnerChannel({ url: `${one.url}/runner`, token })
    const questions = [{ question: 'Which language?', options: [{ label: 'A' }, { label: 'B' }] }]
    const outcome = askUser(channel, { toolCallId: 't1', questions, runId: 'run-1' })

    const answers = `${two.url}/answer?run=run-1`
    const headers = { authorization: 'Bearer of people', 'content-type': 'application/json' }
    await vi.waitFor(async () => {
      const listed = await (await fetch(answers, { headers })).json()
      expect(listed.questions).toMatchObject([{ toolCallId: 't1' }])
    })
    const body = JSON.stringify({
      toolCallId: 't1',
      answers: { 'Which language?': 'B' },
      status: 'completed',
    })
    const { authorization: _, ...stranger } = headers
    expect(await (await fetch(answers)).json()).toEqual({ questions: [] })
    expect((await fetch(answers, { method: 'POST', headers: stranger, body })).status).toBe(403)
    expect((await fetch(answers, { method: 'POST', headers, body })).status).toBe(200)
    expect(await outcome).toMatchObject({ kind: 'answered', answeredBy: 'operator' })
    expect((await fetch(`${two.url}/health`)).status).toBe(200)
    await receiptsWritten()
    for (const { process } of [one, two]) {
      const ended = once(process, 'exit')
      process.kill('SIGTERM')
      expect(await ended).toEqual([0, null])
    }
  })

  it.each(['compose.yaml', 'kubernetes.yaml'])('%s sets every variable that the host needs', (name) => {
    const text = readFileSync(join(folder, name), 'utf8')
    for (const document of parseAllDocuments(text)) expect(document.errors).toEqual([])
    for (const variable of ['STORE', 'ANSWER_TOKEN', 'SANDAGENT_SIGNING_KEY'])
      expect(text).toContain(variable)
  })
})
