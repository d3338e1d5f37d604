import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asked } from '../support/question-files.ts'
import { hasSshServer, sshServer } from '../support/remote/ssh-server.ts'
import { startDemo } from '../support/servers/demo-server.ts'

if (!hasSshServer) console.error('Skipping the demo over SSH: sshd or ssh is missing')

describe.runIf(hasSshServer)('the demo over SSH', () => {
  it('runs its agent there, lists the files there, and takes answers', async () => {
    const server = await sshServer()
    const workdir = join(server.home, 'project')
    const args = ['--agent', 'scripted', '--sandbox', server.command.join(' ')]
    const demo = await startDemo(0, undefined, { args, workdir })
    onTestFinished(async () => void (await demo.close()))
    expect(demo.output).toContain(`The agent works in ${workdir}, by ssh`)

    const post = (path: string, body: unknown): Promise<Response> =>
      fetch(demo.url + path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const messages = [{ role: 'user', parts: [{ type: 'text', text: 'Go' }] }]
    await (await post('/api/chat', { id: 'c1', messages })).body?.cancel()
    const toolCallId = await asked(workdir, 1)
    expect((await stat(join(workdir, '.sandagent/questions'))).uid).toBe(server.uid)

    const responses = { kind: { selected: ['Web page'], source: 'human' } }
    expect((await post('/api/answer', { toolCallId, status: 'completed', responses })).status).toBe(200)
    await asked(workdir, 2)
    await vi.waitFor(async () => {
      const [chat] = (await (await fetch(`${demo.url}/api/chats`)).json()).chats
      expect(chat).toMatchObject({ isRunning: true, waiting: 1 })
    })
    await vi.waitFor(async () => {
      const inspected = await (await fetch(`${demo.url}/api/inspector?toolCallId=${toolCallId}`)).json()
      expect(inspected.times).toMatchObject({ confirmedMs: expect.any(Number) })
    })
    expect(await (await fetch(`${demo.url}/api/files`)).json()).toMatchObject({ workdir, truncated: false })
    expect(await (await fetch(`${demo.url}/api/isolation`)).json()).toHaveProperty('level')
  })
})
