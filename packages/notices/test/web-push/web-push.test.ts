import { createECDH } from 'node:crypto'
import { lstat, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseQuestions, type QuestionView } from '@sandagent/core'
import { AskError, approvalQuestion } from '@sandagent/core/internal'
import { type PushedBrowser, startPushService } from '@sandagent/fixtures/servers/push-service.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createSigningKey, parseSigningKeys, type SigningKeys } from '@sandagent/sdk'
import { createFakeClock, type FakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import type { Notice } from '../../src/index.ts'
import { lookUpPublic } from '../../src/web-push/endpoint.ts'
import { createWebPush, type WebPush, type WebPushOptions } from '../../src/web-push/index.ts'
import { createOffice, MINUTE } from '../start/office.ts'

const POINT = createECDH('prime256v1').generateKeys().toString('base64url')

const signal = new AbortController().signal

/** A notice about a question of these options, or of the given questions. */
const noticeOf = (question: Partial<QuestionView> = {}, more: Partial<Notice> = {}): Notice => ({
  id: '0123456789abcdef0123456789abcdef',
  sandboxId: 'shop',
  sandboxName: 'The shop',
  toolCallId: 'toolu_1',
  person: { name: 'Ada' },
  link: 'https://inbox.example/answer#sandbox=shop&toolCallId=toolu_1&token=secret',
  isTextAllowed: false,
  question: {
    toolCallId: 'toolu_1',
    kind: 'question',
    state: 'open',
    questions: parseQuestions([
      { question: 'Which database?', options: [{ label: 'Postgres' }, { label: 'SQLite', value: 'lite' }] },
    ]),
    questionDigest: 'digest',
    responses: {},
    revision: 0,
    declined: false,
    deadline: null,
    remainingMs: null,
    ...question,
  },
  ...more,
})

interface Push extends WebPush {
  folder: string
  clock: FakeClock
  signingKeys: SigningKeys
  call(route: string, body?: unknown, method?: string): Promise<Response>
  /** A browser of the person that has subscribed. */
  browser(settings?: object): Promise<PushedBrowser>
}

async function push(options: Partial<WebPushOptions> = {}): Promise<Push> {
  const folder = await tempDir()
  const clock = createFakeClock()
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const made = await createWebPush({
    folder,
    origin: 'https://inbox.example',
    signingKeys,
    personIn: async () => 'Ada',
    allowLoopback: true,
    clock,
    ...options,
  })
  const service = await startPushService()
  const call = (route: string, body?: unknown, method = body === undefined ? 'GET' : 'POST') =>
    made.handler(
      new Request(`https://inbox.example/api/push/${route}`, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    )
  const browser = async (settings = {}) => {
    const { publicKey } = (await (await call('key')).json()) as { publicKey: string }
    const subscribed = service.subscribe(publicKey)
    expect((await call('subscribe', { ...subscribed.subscription, ...settings })).status).toBe(200)
    return subscribed
  }
  return { ...made, folder, clock, signingKeys, call, browser }
}

const messagesOf = ({ messages }: PushedBrowser) => messages.map(({ text }) => JSON.parse(text))

describe('a notice by web push', () => {
  it('reaches each browser of its person, and says only where a question waits', async () => {
    const { sink, browser } = await push()
    const [one, two] = [await browser(), await browser()]
    await sink.send(noticeOf({ remainingMs: 90_000 }), { signal })
    for (const each of [one, two]) {
      expect(messagesOf(each)).toEqual([
        {
          kind: 'question',
          id: '0123456789abcdef0123456789abcdef',
          title: 'An agent in The shop has a question',
          body: '',
          sandboxId: 'shop',
          toolCallId: 'toolu_1',
        },
      ])
      expect(each.messages[0]?.headers).toMatchObject({
        ttl: '90',
        urgency: 'high',
        topic: '0123456789abcdef0123456789abcdef',
      })
    }
    const toBo = sink.send(noticeOf({}, { person: { name: 'Bo' } }), { signal })
    await expect(toBo).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect(one.messages).toHaveLength(1)
  })

  it('is urgent while work stands still until its answer', async () => {
    const { sink, browser } = await push()
    const { messages } = await browser()
    for (const facts of [{}, { blocking: false }, { comesBack: true, runEnded: true }] as const)
      await sink.send(noticeOf(facts), { signal })
    expect(messages.map(({ headers }) => headers.urgency)).toEqual(['high', 'normal', 'normal'])
  })

  it('shows the question, and buttons that answer it, if the person wants that', async () => {
    const { sink, browser } = await push()
    const shown = await browser({ showText: true })
    await sink.send(noticeOf(), { signal })
    expect(messagesOf(shown)).toMatchObject([
      {
        body: 'Which database?',
        answer: {
          link: 'sandbox=shop&toolCallId=toolu_1&token=secret',
          questionId: 'q1',
          questionDigest: 'digest',
          choices: [
            { label: 'Postgres', value: 'Postgres' },
            { label: 'SQLite', value: 'lite' },
          ],
        },
      },
    ])
  })

  it('has buttons to allow an approval once and to deny it, and none for the session', async () => {
    const { sink, browser } = await push()
    const shown = await browser({ showText: true })
    const questions = parseQuestions([approvalQuestion('Bash', { sessionScope: 'ls' })])
    const subject = { toolName: 'Bash', input: { command: 'ls' } }
    await sink.send(noticeOf({ kind: 'approval', subject, questions }), { signal })
    await sink.send(
      noticeOf({ kind: 'approval', subject: { ...subject, input: { command: 'x'.repeat(500) } }, questions }),
      { signal },
    )
    const [short, long] = messagesOf(shown)
    expect(short.body).toContain('"command": "ls"')
    expect(short.answer.choices.map(({ value }: { value: string }) => value)).toEqual(['allow-once', 'deny'])
    // Nobody allows by a button what they cannot read.
    expect(long).not.toHaveProperty('answer')
  })

  it.each([
    ['several questions', [{ question: 'One?', options: [{ label: 'A' }] }, { question: 'Two?' }]],
    ['several picks', [{ question: 'One?', multiSelect: true, options: [{ label: 'A' }] }]],
    ['three options', [{ question: 'One?', options: [{ label: 'A' }, { label: 'B' }, { label: 'C' }] }]],
    ['a long label', [{ question: 'One?', options: [{ label: 'A label that no phone shows as a whole' }] }]],
    [
      'an option with a description',
      [{ question: 'One?', options: [{ label: 'A', description: 'All goes' }] }],
    ],
    ['an option with a preview', [{ question: 'One?', options: [{ label: 'A', preview: 'rm' }] }]],
    ['no option', [{ question: 'One?' }]],
    ['many lines', [{ question: 'One?\n\n\n\n\n\nOr all?', options: [{ label: 'A' }] }]],
  ])('has no buttons for %s', async (_, questions) => {
    const { sink, browser } = await push()
    const shown = await browser({ showText: true })
    await sink.send(noticeOf({ questions: parseQuestions(questions) }), { signal })
    expect(messagesOf(shown)[0]).not.toHaveProperty('answer')
  })

  it('fits into a message however long its parts are', async () => {
    const { sink, browser } = await push()
    const shown = await browser({ showText: true })
    const questions = parseQuestions([{ question: '€'.repeat(3000) }])
    await sink.send(noticeOf({ questions }, { sandboxName: 'n'.repeat(5000) }), { signal })
    expect(messagesOf(shown)[0]).toMatchObject({ body: expect.stringMatching(/^€+…$/) })
  })

  it('says in the same place that its question has ended', async () => {
    const { sink, browser } = await push()
    const shown = await browser()
    const ending = { state: 'answered', answeredBy: 'Bo' } as const
    await sink.settle?.(noticeOf(), undefined, ending, { signal })
    expect(messagesOf(shown)).toEqual([{ kind: 'ended', id: noticeOf().id, title: 'Answered by Bo' }])
    expect(shown.messages[0]?.headers.topic).toBe(noticeOf().id)
  })

  it('forgets a browser that its push service no longer knows', async () => {
    const { sink, browser, folder } = await push()
    for (const status of [404, 410]) (await browser()).refuseWith(status)
    const kept = await browser()
    await sink.send(noticeOf(), { signal })
    expect(kept.messages).toHaveLength(1)
    const [browsers = ''] = (await readdir(folder)).filter((name) => !name.endsWith('.json'))
    expect(await readdir(join(folder, browsers))).toHaveLength(1)
  })

  it('keeps a browser whose push service refuses this host, such as for its clock', async () => {
    const { sink, browser } = await push()
    const refused = await browser()
    for (const status of [400, 401, 403, 413, 500]) {
      refused.refuseWith(status)
      await expect(sink.send(noticeOf(), { signal })).rejects.toThrow(String(status))
    }
    refused.refuseWith(201)
    await sink.send(noticeOf(), { signal })
    expect(refused.messages).toHaveLength(1)
  })

  it.each([
    'https://localhost:7263',
    'https://inbox.localhost',
    'https://127.0.0.1:7263',
    'https://192.168.0.7:7263',
    'https://[::1]:7263',
    'http://inbox.example',
  ])('from %s names no address of this machine to the push service', async (origin) => {
    const { sink, browser } = await push({ origin })
    const subscribed = await browser()
    await sink.send(noticeOf(), { signal })
    expect(subscribed.messages).toHaveLength(1)
  })

  it('is sent if one browser has it, whatever the others say', async () => {
    const { sink, browser } = await push()
    const [free, ...others] = [await browser(), await browser(), await browser()]
    for (const [index, status] of [400, 500].entries()) others[index]?.refuseWith(status)
    await sink.send(noticeOf(), { signal })
    expect(free.messages).toHaveLength(1)
  })

  it('is not sent if no browser is subscribed', async () => {
    const { sink, browser, isSubscribed } = await push()
    const nobody = { code: 'UNREACHABLE', message: 'No browser of Ada is subscribed' }
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject(nobody)
    const gone = await browser()
    gone.refuseWith(410)
    expect(await isSubscribed('Ada')).toBe(true)
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject(nobody)
    expect(await isSubscribed('Ada')).toBe(false)
  })

  it('is tried again when a push service says so, and not if it finds the message wrong', async () => {
    const { sink, browser } = await push()
    const busy = await browser()
    busy.refuseWith(429, { 'retry-after': '7' })
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      facts: { retryAfterMs: 7000 },
    })
    busy.refuseWith(500)
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject({ code: 'UNREACHABLE' })
    busy.refuseWith(400)
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
  })
})

it('a notice waits until its person has subscribed a browser', async () => {
  const { sink, browser, isSubscribed } = await push()
  const { start, ask, seen, pass, warnings } = await createOffice()
  let isUnderWay = false
  const linkFor = async (): Promise<undefined> => {
    isUnderWay = true
    if (await isSubscribed('Ada')) return
    isUnderWay = false
    throw new AskError('NOT_FOUND', 'No browser is subscribed')
  }
  start({ sinks: { push: sink }, people: { Ada: { addresses: { push: true } } }, linkFor })
  await ask('toolu_1')
  await seen('toolu_1')
  const subscribed = await browser()
  await vi.waitFor(async () => {
    // Time that passes while the link is made, or the message is sent, would be time that these take.
    if (!isUnderWay) await pass(MINUTE)
    expect(messagesOf(subscribed)).toMatchObject([{ kind: 'question', toolCallId: 'toolu_1' }])
  })
  expect(warnings).toEqual([])
})

describe('a subscription', () => {
  it('ends when the browser says so, after 30 days, and with the signing key', async () => {
    const { sink, browser, call, clock, folder, signingKeys } = await push()
    const [left, old] = [await browser(), await browser()]
    expect((await call('unsubscribe', left.subscription)).status).toBe(200)
    const send = () => sink.send(noticeOf(), { signal })
    await send()
    expect([left.messages.length, old.messages.length]).toEqual([0, 1])
    clock.advance(20 * 24 * 60 * 60_000)
    expect((await call('subscribe', old.subscription)).status).toBe(200)
    clock.advance(20 * 24 * 60 * 60_000)
    await send()
    expect(old.messages).toHaveLength(2)
    const options = { folder, origin: 'https://inbox.example', personIn: async () => 'Ada', clock }
    const same = await createWebPush({ ...options, signingKeys, allowLoopback: true })
    await same.sink.send(noticeOf(), { signal })
    expect(old.messages).toHaveLength(3)
    const otherKeys = await parseSigningKeys(await createSigningKey())
    const other = await createWebPush({ ...options, signingKeys: otherKeys, allowLoopback: true })
    expect(await other.isSubscribed('Ada')).toBe(false)
    expect(old.messages).toHaveLength(3)
  })

  it('is taken from people who are signed in, and from nobody else', async () => {
    const personIn = async () => {
      throw new AskError('UNAUTHENTICATED', 'Sign in')
    }
    const { call } = await push({ personIn })
    for (const [route, body] of [['key'], ['subscribe', {}], ['unsubscribe', {}]] as const)
      expect((await call(route, body)).status).toBe(401)
    const { call: own } = await push()
    expect((await own('nothing')).status).toBe(404)
    expect((await own('subscribe')).status).toBe(405)
  })

  it.each([
    'http://push.example/1',
    'http://127.0.0.1:80/1',
    'https://127.0.0.1/1',
    'https://[::1]/1',
    'https://[::ffff:10.0.0.1]/1',
    'https://10.0.0.1/1',
    'https://169.254.169.254/latest',
    'https://[fd00::1]/1',
    'https://user:word@push.example/1',
    'file:///etc/passwd',
    'push',
  ])('does not lead to %s', async (endpoint) => {
    const { call } = await push({ allowLoopback: false })
    const keys = { p256dh: POINT, auth: Buffer.alloc(16).toString('base64url') }
    const response = await call('subscribe', { endpoint, keys })
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST' } })
    expect((await call('subscribe', { endpoint: 'https://push.example/1', keys })).status).toBe(200)
    for (const wrong of [{ auth: 'x' }, { p256dh: Buffer.alloc(65, 4).toString('base64url') }]) {
      const body = { endpoint: 'https://push.example/1', keys: { ...keys, ...wrong } }
      expect((await call('subscribe', body)).status).toBe(400)
    }
  })

  it('does not lead into a private network by a name', async () => {
    const found = await new Promise((resolve) => lookUpPublic('localhost', {}, (error) => resolve(error)))
    expect(found).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('stays while its name leads into a private network for a moment', async () => {
    const { call, sink, isSubscribed } = await push({ allowLoopback: false })
    const keys = { p256dh: POINT, auth: Buffer.alloc(16).toString('base64url') }
    expect((await call('subscribe', { endpoint: 'https://localhost/1', keys })).status).toBe(200)
    await expect(sink.send(noticeOf(), { signal })).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: expect.stringContaining('localhost is in a private network'),
    })
    expect(await isSubscribed('Ada')).toBe(true)
  })
})

describe('the keys for push services', () => {
  it('are made once, for this user alone', async () => {
    const { folder, call, signingKeys } = await push()
    const path = join(folder, 'vapid-keys.json')
    expect((await lstat(path)).mode & 0o077).toBe(0)
    const { publicKey } = (await (await call('key')).json()) as { publicKey: string }
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ publicKey })
    const options = { folder, origin: 'https://inbox.example', signingKeys, personIn: async () => 'Ada' }
    await createWebPush(options)
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ publicKey })
    await writeFile(path, '{}')
    await expect(createWebPush(options)).rejects.toMatchObject({ code: 'INVALID_FILE' })
  })
})
