import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { json, text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { freePort, listen } from '@sandagent/fixtures/listen.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openRecord } from '@sandagent/testing'
import { Webhook } from 'standardwebhooks'
import { expect, it, vi } from 'vitest'
import { main, startInbox } from '../support/servers/inbox-server.ts'
import { createWorkspace } from '../support/workspace.ts'

const SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`

interface Received {
  type: string
  data: { id: string; link?: string; toolCallId: string; state?: string; answeredBy?: string }
}

/** A program that takes webhooks, and a host's folder with settings that lead to it. */
async function receiver(roles: string[] = []) {
  const received: Received[] = []
  const replies = { status: 204 }
  const url = await listen(async (request, response) => {
    const body = await text(request)
    const message = new Webhook(SECRET).verify(body, request.headers as Record<string, string>)
    if (replies.status === 204) received.push(message as Received)
    response.writeHead(replies.status).end()
  })
  const config = await tempDir()
  const file = join(config, 'settings.json')
  const settings = {
    people: { Ada: { addresses: { hook: true }, roles } },
    sinks: { hook: { type: 'webhook', url, secret: { env: 'HOOK_SECRET' } } },
  }
  await writeFile(file, JSON.stringify(settings))
  const env = { XDG_CONFIG_HOME: config, HOOK_SECRET: SECRET }
  return { received, replies, file, env }
}

/** Runs `sandagent notices`. */
const notices = (env: Record<string, string>, ...args: string[]) =>
  promisify(execFile)(process.execPath, [main, 'notices', ...args], { env: { ...process.env, ...env } }).then(
    ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      code,
      stdout,
      stderr,
    }),
  )

it('sandagent serve sends a link that answers, says how the question ended, and sends nothing twice', async () => {
  const { sandbox, channel } = await createWorkspace()
  const { received, file, env } = await receiver(['lead'])
  const policy = join(file, '../policy.json')
  await writeFile(policy, JSON.stringify([{ roles: ['lead'] }]))
  const args = ['--workdir', sandbox.workdir, '--notices', file, '--name', 'Ada', '--policy', policy]
  const first = await startInbox([...args, '--port', `${await freePort()}`], { env })
  await channel.open(openRecord('toolu_1'))
  await vi.waitFor(() => expect(received).toMatchObject([{ type: 'question.opened' }]))
  expect(await first.stop()).toBe(143)
  const second = await startInbox([...args, '--port', first.port], { env })
  await channel.open(openRecord('toolu_2'))
  await vi.waitFor(() => expect(received).toHaveLength(2))
  expect(received.map(({ data }) => data.toolCallId)).toEqual(['toolu_1', 'toolu_2'])

  const link = new URL(received[0]?.data.link ?? '')
  expect(link.origin + link.pathname).toBe(`${second.origin}/answer`)
  const known = new URLSearchParams(link.hash.slice(1))
  const url = `${second.origin}/api/inbox/answer?sandbox=${encodeURIComponent(known.get('sandbox') ?? '')}`
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${known.get('token')}` },
    body: JSON.stringify({
      toolCallId: known.get('toolCallId'),
      status: 'completed',
      responses: { q1: { selected: ['A'] } },
    }),
  })
  expect(response.status).toBe(200)
  await vi.waitFor(() =>
    expect(received[2]).toMatchObject({
      type: 'question.ended',
      data: { id: received[0]?.data.id, state: 'answered', answeredBy: 'Ada' },
    }),
  )
})

it('sandagent serve posts to Slack, and takes the answer that a person clicks there', async () => {
  const posted: { blocks: { elements?: { action_id: string; value: string }[] }[] }[] = []
  const edited: { text: string }[] = []
  const apiUrl = await listen(async (request, response) => {
    const body = await json(request)
    if (request.url === '/chat.postMessage') posted.push(body as never)
    if (request.url === '/chat.update') edited.push(body as never)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ ok: true, channel: 'D1', ts: '1.1' }))
  })
  const config = await tempDir()
  const secret = (env: string) => ({ env })
  const slack = { type: 'slack', botToken: secret('BOT'), signingSecret: secret('SIGNING'), apiUrl }
  const settings = {
    people: { Ada: { addresses: { slack: { to: 'U1', showText: true } }, roles: ['lead'] } },
    sinks: { slack },
  }
  await mkdir(join(config, 'sandagent'))
  await writeFile(join(config, 'sandagent/notices.json'), JSON.stringify(settings))
  const { sandbox, channel } = await createWorkspace()
  const env = { XDG_CONFIG_HOME: config, BOT: 'xoxb-1', SIGNING: 'shhh' }
  const [policy, audit] = [join(config, 'policy.json'), join(config, 'audit')]
  await writeFile(policy, JSON.stringify([{ roles: ['lead'] }]))
  const args = ['--workdir', sandbox.workdir, '--name', 'Ada', '--policy', policy, '--audit', audit]
  const { origin } = await startInbox(args, { env })
  await channel.open(openRecord('toolu_1'))
  await vi.waitFor(() => expect(posted).toHaveLength(1))
  const button = posted[0]?.blocks.flatMap(({ elements = [] }) => elements)[1]
  const click = { type: 'block_actions', user: { id: 'U1' }, trigger_id: 't', actions: [button] }
  const body = new URLSearchParams({ payload: JSON.stringify(click) }).toString()
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const send = (signingSecret: string): Promise<Response> =>
    fetch(`${origin}/api/slack`, {
      method: 'POST',
      headers: {
        'x-slack-request-timestamp': timestamp,
        'x-slack-signature': `v0=${createHmac('sha256', signingSecret).update(`v0:${timestamp}:${body}`).digest('hex')}`,
      },
      body,
    })
  expect((await send('guessed')).status).toBe(401)
  expect((await send('shhh')).status).toBe(200)
  await vi.waitFor(() =>
    expect(edited).toMatchObject([{ text: expect.stringContaining('Answered by Ada.') }]),
  )
  const [log = ''] = await readdir(audit)
  const lines = (await readFile(join(audit, log), 'utf8')).trimEnd().split('\n')
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
    ...{ action: 'answer', toolCallId: 'toolu_1', answeredBy: 'Ada', outcome: 'OK' },
  })
})

it('sandagent notices tries the settings, lists what could not be sent, and lets it be sent again', async () => {
  const { received, replies, file, env } = await receiver()
  expect(await notices(env, 'test')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('notices.json'),
  })
  expect(await notices(env, 'test', '--notices', file)).toMatchObject({
    code: 0,
    stdout: 'Ada by hook: sent\n',
  })
  expect(received.map(({ type }) => type)).toEqual(['question.opened', 'question.ended'])
  replies.status = 410
  expect(await notices(env, 'test', '--notices', file)).toMatchObject({
    code: 1,
    stdout: 'Ada by hook: failed: It replied with status 410\n',
  })

  const { sandbox, channel } = await createWorkspace()
  const args = ['--workdir', sandbox.workdir, '--notices', file]
  const first = await startInbox([...args, '--port', `${await freePort()}`], { env })
  await channel.open(openRecord('toolu_1'))
  const failed = await vi.waitFor(async () => {
    const { stdout } = await notices(env, 'failed', '--json')
    return JSON.parse(stdout)
  })
  expect(failed).toMatchObject({ person: 'Ada', sink: 'hook', failure: 'It replied with status 410' })
  await first.stop()
  replies.status = 204
  expect(await notices(env, 'retry', '0')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no failed notice 0'),
  })
  // What could not be sent to a browser is kept elsewhere.
  const kept = join(env.XDG_CONFIG_HOME, 'sandagent')
  await cp(join(kept, 'notices'), join(kept, 'web-push/sent/0'), { recursive: true })
  expect((await notices(env, 'failed', '--json')).stdout.trim().split('\n')).toHaveLength(2)
  expect((await notices(env, 'retry')).stdout).toContain(failed.id)
  expect((await notices(env, 'failed')).stdout).toBe('')
  await startInbox(args, { env })
  await vi.waitFor(() => expect(received[2]).toMatchObject({ data: { id: failed.id } }))
})
