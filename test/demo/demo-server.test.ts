import { symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { asked, questionFile } from '../support/question-files.ts'
import { type DemoServer, startDemo } from '../support/servers/demo-server.ts'

describe('the demo server', () => {
  let demo: DemoServer
  beforeEach(async () => {
    demo = await startDemo()
  })
  afterEach(() => demo.close())

  const startRun = (signal: AbortSignal | null = null): Promise<Response> =>
    fetch(`${demo.url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ id: 'c1', messages: [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }] }),
      signal,
    })

  it('says where it serves, on loopback alone, and takes the next port when one is taken', async () => {
    expect(demo.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    const port = Number(new URL(demo.url).port)
    const second = await startDemo(port)
    expect(second.output).toContain(`Port ${port} is taken`)
    expect(second.url).not.toBe(demo.url)
    expect(await second.close()).toBe(0)
  })

  /** The status of a reply, to headers that `fetch` leaves to the browser. */
  const statusOf = (path: string, headers: Record<string, string>): Promise<unknown> =>
    new Promise((resolve, reject) => {
      request(`${demo.url}${path}`, { headers }, (response) => resolve(response.resume().statusCode))
        .on('error', reject)
        .end()
    })

  it('refuses requests that name another host', async () => {
    expect(await statusOf('/api/files', { host: 'example.com' })).toBe(403)
  })

  it('refuses to be shown in a frame of another site', async () => {
    expect(await statusOf('/', { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await statusOf('/', { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' })).toBe(200)
  })

  it('streams a run as a UI message stream', async () => {
    const leave = new AbortController()
    const response = await startRun(leave.signal)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    expect(response.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    await asked(demo.workdir, 1)
    leave.abort()
  })

  it('refuses what the page of another site sends', async () => {
    const headers = { origin: 'http://example.com' }
    for (const [method, path] of [
      ['GET', '/api/files'],
      ['POST', '/api/chat/main/stop'],
    ])
      expect((await fetch(`${demo.url}${path}`, { method: method as string, headers })).status).toBe(403)
    expect((await fetch(`${demo.url}/api/files`, { headers: { origin: demo.url } })).status).toBe(200)
  })

  it('has a stream to go on with only while an agent is at work, and a history always', async () => {
    const history = async () => (await fetch(`${demo.url}/api/chat/c1`)).json()
    const resume = () => fetch(`${demo.url}/api/chat/c1/stream`)
    const chunksOf = async (stream: Response) => (await stream.text()).replaceAll(': keep-alive\n\n', '')
    expect(await history()).toEqual({ turns: [] })
    expect((await resume()).status).toBe(204)
    expect((await fetch(`${demo.url}/api/chat/c1/restart`, { method: 'POST' })).status).toBe(404)

    const started = await startRun()
    await asked(demo.workdir, 1)
    expect(await history()).toMatchObject({ turns: [{ text: 'Go', attempt: 1, state: 'running' }] })
    const resumed = await resume()
    expect(resumed.headers.get('x-vercel-ai-ui-message-stream')).toBe('v1')
    expect((await fetch(`${demo.url}/api/chat/c1/restart`, { method: 'POST' })).status).toBe(409)

    expect((await fetch(`${demo.url}/api/chat/c1/stop`, { method: 'POST' })).status).toBe(204)
    const text = await chunksOf(started)
    expect(text).toContain('{"type":"abort"}')
    expect(await chunksOf(resumed)).toBe(text)
    const { turns } = await history()
    expect(turns).toMatchObject([{ state: 'stopped' }])
    expect((await resume()).status).toBe(204)
    expect(await chunksOf(await fetch(`${demo.url}/api/runs/${turns[0].runId}/stream`))).toBe(text)
    for (const runId of ['unknown', '..%2f..%2fx'])
      expect([400, 404]).toContain((await fetch(`${demo.url}/api/runs/${runId}/stream`)).status)
  })

  it('refuses a chat without a message of the user', async () => {
    for (const body of [
      '{}',
      '[]',
      '{"messages":[{"role":"assistant","parts":[{"type":"text","text":"x"}]}]}',
    ]) {
      const headers = { 'content-type': 'application/json' }
      const response = await fetch(`${demo.url}/api/chat`, { method: 'POST', headers, body })
      expect(response.status).toBe(400)
    }
  })

  it('takes a chat whose id is no text for one without a name', async () => {
    const leave = new AbortController()
    const { status } = await fetch(`${demo.url}/api/chat`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":{"toString":1},"messages":[{"role":"user","parts":[{"type":"text","text":"Go"}]}]}',
      signal: leave.signal,
    })
    expect(status).toBe(200)
    leave.abort()
  })

  it('ends the agents that still wait when it is stopped', async () => {
    const run = await startRun()
    const id = await asked(demo.workdir, 1)
    expect(await demo.stop()).toBe(0)
    expect(await questionFile(demo.workdir, id)).toMatchObject({ state: 'aborted' })
    await expect(run.text()).rejects.toThrow()
  })

  it('lists and reads the files of the workdir, and nothing that a link leads to', async () => {
    await writeFile(join(demo.workdir, 'a.txt'), 'text')
    await symlink('/etc/hostname', join(demo.workdir, 'link'))
    await symlink('/etc', join(demo.workdir, 'folder'))
    const list = await (await fetch(`${demo.url}/api/files`)).json()
    expect(list).toEqual({ workdir: demo.workdir, files: [{ path: 'a.txt', bytes: 4 }], truncated: false })

    const read = (path: string) => fetch(`${demo.url}/api/files?path=${encodeURIComponent(path)}`)
    expect(await (await read('a.txt')).text()).toBe('text')
    expect((await read('missing.txt')).status).toBe(404)
    for (const path of ['link', 'folder/hostname', '../a.txt', '/etc/hostname', '.', ''])
      expect((await read(path)).status).toBe(400)
  })
})
