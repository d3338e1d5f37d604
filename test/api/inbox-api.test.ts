import { randomUUID } from 'node:crypto'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError, type AskErrorCode, type Clock, systemClock } from '@sandagent/core'
import { createFileRunnerChannel } from '@sandagent/files'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createInbox, createInboxHandler, type InboxChange, type InboxHandlerOptions } from '@sandagent/inbox'
import {
  createSigningKey,
  LocalSandbox,
  parseSigningKeys,
  readRun,
  startRun,
  stopRun,
  submitAnswer,
} from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { root } from '../../scripts/run.mjs'
import { documented, expectDescribed, faultsOf } from '../support/openapi.ts'

const ROUTES = ['questions', 'history', 'question', 'answer', 'statistics', 'runs', 'run', 'log']

/** What the handler replied in all tests, as `/inbox/runs GET 200`. */
const reached = new Set<string>()

const answer = (label: string, more: object = {}) => ({
  toolCallId: 'toolu_1',
  status: 'completed',
  responses: { q1: { selected: [label] } },
  ...more,
})

/** A folder with both ends of its questions. Its programs are not isolated, so they find the examples. */
async function createWorkspace() {
  const sandbox = new LocalSandbox({ workdir: await tempDir(), isolation: 'none', onIsolation: () => {} })
  return { sandbox, channel: createFileRunnerChannel({ workdir: sandbox.workdir }) }
}

/** The inbox of two workspaces, `one` and `two`, in each of which `toolu_1` is asked. */
async function api(options: Partial<InboxHandlerOptions> = {}) {
  const [one, two] = [await createWorkspace(), await createWorkspace()]
  for (const { channel } of [one, two]) await channel.open(openRecord('toolu_1', { nonce: randomUUID() }))
  const handle = createInboxHandler({
    sandboxes: [
      { id: 'one', name: 'First', sandbox: one.sandbox },
      { id: 'two', name: 'Second', sandbox: two.sandbox },
    ],
    authorize: () => true,
    signingKeys: null,
    onError: () => {},
    onWarning: () => {},
    patienceMs: 60_000,
    ...options,
  })
  const call = async (path: string, init: RequestInit = {}) => {
    const request = new Request(`http://localhost/api/inbox/${path}`, init)
    const response = await handle(request)
    const route = `/inbox/${path.split('?')[0]}`
    reached.add(`${route} ${request.method} ${response.status}`)
    const body = await expectDescribed(request.method === 'GET' ? 'get' : 'post', response, route)
    return { status: response.status, body, response }
  }
  const post = (sandbox: string, body: unknown, headers: Record<string, string> = {}) =>
    call(`answer?sandbox=${sandbox}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  return { one, two, get: call, post, handle }
}

const codeOf = ({ body }: { body: Record<string, unknown> }) => (body.error as { code: string }).code
const refusing = (code: AskErrorCode) => () => {
  throw new AskError(code, 'Refused by the test')
}
const EVENTS = { headers: { accept: 'text/event-stream' } }

/** How long the first list of a stream waits for a sandbox. No other timer has this time. */
const FIRST_LIST_MS = 800

/**
 * A clock that lets the first list of a stream wait until the test ends the wait. `held.waits` end the waits that go on, and
 * `held.begun` counts all waits.
 */
function patience() {
  const waits = new Set<() => void>()
  const held = { waits, begun: 0 }
  const after: Clock['after'] = (ms, callback) => {
    if (ms !== FIRST_LIST_MS) return systemClock.after(ms, callback)
    const end = () => callback()
    held.begun++
    waits.add(end)
    return () => void waits.delete(end)
  }
  return { held, clock: { ...systemClock, after } }
}

/** Reads the events of a stream one by one, until the test ends. */
function eventsOf({ body }: Response): () => Promise<{ name: string | undefined; data: unknown } | null> {
  const reader = (body as ReadableStream<Uint8Array>).getReader()
  onTestFinished(async () => reader.cancel())
  const decoder = new TextDecoder()
  let text = ''
  const next = async () => {
    for (;;) {
      const end = text.indexOf('\n\n')
      const event = text.slice(0, Math.max(0, end))
      if (end !== -1) text = text.slice(end + 2)
      if (/^(data|event):/.test(event))
        return {
          name: /^event: (.+)$/m.exec(event)?.[1],
          data: JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? 'null'),
        }
      if (end !== -1) continue
      const { done, value } = await reader.read()
      if (done) return null
      text += decoder.decode(value, { stream: true })
    }
  }
  return next
}

/** Reads changes until one is like this. */
async function untilChange(next: ReturnType<typeof eventsOf>, like: object): Promise<void> {
  for (;;) {
    const event = await next()
    if (event === null) throw new Error('The stream has ended')
    if (event.name !== undefined) continue
    expect(faultsOf('InboxChange', event.data)).toEqual([])
    if (expect.objectContaining(like).asymmetricMatch(event.data as InboxChange)) return
  }
}

/** Starts a program that asks, with the real runner, and waits for its question. */
async function running(sandbox: LocalSandbox) {
  const { runId } = await startRun(
    sandbox,
    {
      agent: 'command',
      args: ['--', 'node', join(root, 'examples/start/express/workspace/agent.mjs')],
      prompt: 'Deploy it',
      runner: [process.execPath, join(root, 'packages/cli/dist/main.js')],
    },
    { signingKeys: null, onError: () => {} },
  )
  onTestFinished(async () => {
    await stopRun(sandbox, runId, { graceMs: 0 })
    await vi.waitFor(async () => expect((await readRun(sandbox, runId))?.exitCode).toBeDefined())
  })
  return runId
}

describe('the inbox over HTTP', () => {
  it('lists, page by page, what the caller may see', async () => {
    const { get } = await api()
    const first = await get('questions?limit=1')
    expect(first.body).toMatchObject({
      questions: [{ sandboxId: 'one', sandboxName: 'First', question: { toolCallId: 'toolu_1' } }],
      unreachable: [],
      nextCursor: expect.any(String),
    })
    const second = await get(`questions?cursor=${first.body.nextCursor}`)
    expect(second.body).toMatchObject({ questions: [{ sandboxId: 'two' }] })
    const half = await api({ authorize: (_, { sandboxId }) => sandboxId === 'two' })
    expect((await half.get('questions')).body).toMatchObject({ questions: [{ sandboxId: 'two' }] })
    expect((await half.get('runs')).body).toEqual({ runs: [], unreachable: [] })
    const sandboxOnly = await api({ authorize: (_, { toolCallId }) => toolCallId === undefined })
    expect((await sandboxOnly.get('questions')).body).toMatchObject({ questions: [] })
  })

  it('names a sandbox that cannot be read', async () => {
    const { get, one } = await api()
    const folder = join(one.sandbox.workdir, '.sandagent/questions')
    await rename(folder, `${folder}.moved`)
    await writeFile(folder, '')
    for (const route of ['questions', 'history'])
      expect((await get(route)).body).toMatchObject({ unreachable: [{ sandboxId: 'one' }] })
    expect(codeOf(await get('question?sandbox=one&toolCallId=toolu_1'))).toBe('UNREACHABLE')
    const runs = join(one.sandbox.workdir, '.sandagent/runs')
    await rm(runs, { recursive: true, force: true })
    await writeFile(runs, '')
    expect(codeOf(await get('run?sandbox=one&runId=run-1'))).toBe('UNREACHABLE')
  })

  it('streams the list, then each change, and ends when the caller is no longer known', async () => {
    let isKnown = true
    const authorize = (): true => {
      if (isKnown) return true
      throw new AskError('UNAUTHENTICATED', 'Signed out')
    }
    const { get, one, two } = await api({ authorize, clock: patience().clock })
    const next = eventsOf((await get('questions', EVENTS)).response)
    const list = await next()
    expect(list).toMatchObject({ name: 'list', data: { questions: [{}, {}] } })
    expect(faultsOf('InboxList', list?.data)).toEqual([])
    await submitAnswer(one.sandbox, answer('A') as never, { signingKeys: null })
    await untilChange(next, {
      kind: 'question',
      sandboxId: 'one',
      question: expect.objectContaining({ state: 'sent' }),
    })
    isKnown = false
    await two.channel.open(openRecord('toolu_2'))
    await vi.waitFor(async () => expect(await next()).toBeNull())
    expect(codeOf(await get('questions', EVENTS))).toBe('UNAUTHENTICATED')
  })

  it('begins a stream with what is known, and adds a sandbox that replies later', async () => {
    const late = await createWorkspace()
    await late.channel.open(openRecord('toolu_late'))
    const { files } = late.sandbox
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const behindGate = {
      ...files,
      list: (...args: Parameters<typeof files.list>) => gate.then(() => files.list(...args)),
      read: (...args: Parameters<typeof files.read>) => gate.then(() => files.read(...args)),
    }
    const { sandbox, channel } = await createWorkspace()
    await channel.open(openRecord('toolu_1'))
    const { held, clock } = patience()
    const { get } = await api({
      sandboxes: [
        { id: 'one', name: 'First', sandbox },
        { id: 'late', name: 'Late', sandbox: { files: behindGate } },
      ],
      clock,
    })
    const next = eventsOf((await get('questions', EVENTS)).response)
    const list = next()
    await vi.waitFor(() => expect([held.begun, held.waits.size]).toEqual([2, 1])) // The first one has replied.
    for (const end of [...held.waits]) end()
    expect(await list).toMatchObject({
      name: 'list',
      data: { questions: [{ sandboxId: 'one' }], unreachable: [{ sandboxId: 'late' }] },
    })
    open()
    const kinds = new Set<unknown>()
    while (kinds.size < 2) {
      const { data } = (await next()) as { data: InboxChange }
      if (data.sandboxId === 'late') kinds.add(data.kind)
    }
    expect(kinds).toEqual(new Set(['question', 'reachable']))
  })

  it('shows a question with the run of a real runner, takes the answer, and keeps it in the history', async () => {
    const onError = vi.fn()
    const { get, post, two } = await api({ authorize: () => ({ answeredBy: 'Ada' }), onError })
    const runId = await running(two.sandbox)
    const asked = await vi.waitFor(async () => {
      const { questions } = (await get('questions')).body as {
        questions: { runId: string; question: { toolCallId: string } }[]
      }
      const found = questions.find((entry) => entry.runId === runId)
      if (!found) throw new Error('The agent has not asked')
      return found.question
    })
    const query = `sandbox=two&toolCallId=${asked.toolCallId}`
    // The runner records its question before its log says so.
    await vi.waitFor(async () =>
      expect((await get(`question?${query}`)).body).toMatchObject({
        sandboxName: 'Second',
        question: { state: 'open', questions: [{ question: 'Where to?' }] },
        run: { agent: 'command', prompt: 'Deploy it', state: 'running' },
        messages: expect.arrayContaining([expect.objectContaining({ kind: 'tool' })]),
      }),
    )
    const broken = new Error('The disk is broken')
    const readingLogs = vi.spyOn(two.sandbox.files, 'readFrom').mockRejectedValue(broken)
    expect((await get(`question?${query}`)).body).toMatchObject({ question: { state: 'open' }, messages: [] })
    expect(onError.mock.calls).toEqual([[broken]])
    readingLogs.mockRestore()
    expect((await get(`answer?${query}`)).body).toMatchObject({ state: 'open' })
    expect(
      (
        await post('two', {
          toolCallId: asked.toolCallId,
          answers: { 'Where to?': 'Staging' },
          status: 'completed',
        })
      ).body,
    ).toMatchObject({ success: true })
    const log = await (await get(`log?sandbox=two&runId=${runId}`)).response.text()
    expect(log).toContain('I deploy to Staging.')
    expect((await get('runs')).body).toMatchObject({ runs: [{ sandboxId: 'two', run: { runId } }] })
    expect((await get(`run?sandbox=two&runId=${runId}`)).body).toMatchObject({
      sandboxName: 'Second',
      run: { runId, prompt: 'Deploy it' },
      messages: expect.arrayContaining([{ kind: 'text', text: expect.stringContaining('I deploy') }]),
      edits: [],
    })
    expect(codeOf(await get('run?sandbox=two&runId=run-none'))).toBe('NOT_FOUND')
    expect((await get('history')).body).toMatchObject({
      questions: [{ runId, question: { answeredBy: 'Ada', state: expect.stringMatching(/sent|answered/) } }],
    })
  })

  it('takes answers as the answer API does, for one sandbox', async () => {
    const { get, post } = await api({ authorize: () => true, clock: createFakeClock() })
    expect((await post('one', answer('A', { status: 'pending' }))).body).toMatchObject({ revision: 1 })
    expect((await post('one', answer('A'))).body).toMatchObject({ status: 'completed' })
    expect(codeOf(await post('one', answer('B')))).toBe('CONFLICT')
    expect((await get('answer?sandbox=two&toolCallId=toolu_1')).body).toMatchObject({ state: 'open' })
    const followed = await get('answer?sandbox=two&toolCallId=toolu_1', EVENTS)
    expect(await eventsOf(followed.response)()).toMatchObject({ data: { state: 'open' } })
    expect(codeOf(await post('two', '{'))).toBe('INVALID_REQUEST')
    expect(codeOf(await post('two', '{}', { 'content-type': 'text/plain' }))).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(codeOf(await post('two', answer('x'.repeat(300_000))))).toBe('TOO_LARGE')
    for (let count = 0; count < 60; count++) await post('two', answer('C'))
    expect(codeOf(await post('two', answer('C')))).toBe('RATE_LIMITED')
  })

  it('shows who may answer by its policy, and counts votes', async () => {
    const { get, post } = await api({
      policy: [{ roles: ['lead'], votes: 2 }],
      authorize: ({ headers }) => ({ answeredBy: headers.get('x-user') ?? '', roles: ['lead'] }),
    })
    const as = (user: string) => ({ 'x-user': user })
    expect((await post('one', answer('A'), as('Ada'))).body).toMatchObject({ missingVotes: 1 })
    expect((await get('questions', { headers: as('Ben') })).body).toMatchObject({
      questions: [
        { sandboxId: 'one', question: { mayAnswer: true, votes: [{ name: 'Ada' }] } },
        { sandboxId: 'two', question: { mayAnswer: true, rule: { votes: 2 } } },
      ],
    })
    expect((await get('question?sandbox=one&toolCallId=toolu_1', { headers: as('') })).body).toMatchObject({
      question: { mayAnswer: false },
    })
    expect((await post('one', answer('A'), as('Ben'))).body).toMatchObject({ status: 'completed' })
  })

  it('says that a question has ended', async () => {
    const { one, post, get } = await api()
    const receipt = { state: 'timed-out', settledAt: '2026-01-01T00:00:02.000Z', responses: {} } as const
    await one.channel.settle('toolu_1', receipt)
    expect(codeOf(await post('one', answer('A')))).toBe('GONE')
    expect((await get('history')).body).toMatchObject({ questions: [{ question: { state: 'timed-out' } }] })
  })

  it('shows the rest to callers who may not see everything', async () => {
    const isSeen = (toolCallId: string) => /[124]$/.test(toolCallId)
    const { one, get } = await api({
      authorize: (_, { sandboxId, toolCallId }) => {
        if (sandboxId === 'two') throw new AskError('FORBIDDEN', 'Not this one')
        return toolCallId === undefined || isSeen(toolCallId)
      },
    })
    for (let n = 1; n <= 6; n++) {
      await one.channel.open(openRecord(`toolu_${n}`))
      const settledAt = `2026-01-01T00:00:0${n}.000Z`
      await one.channel.settle(`toolu_${n}`, { state: 'timed-out', settledAt, responses: {} })
    }
    const idsOf = ({ body }: { body: Record<string, unknown> }) =>
      (body.questions as { question: { toolCallId: string } }[]).map(({ question }) => question.toolCallId)
    const first = await get('history?limit=2')
    expect(idsOf(first)).toEqual(['toolu_4', 'toolu_2'])
    const next = await get(`history?limit=2&cursor=${first.body.nextCursor}`)
    expect(idsOf(next)).toEqual(['toolu_1'])
    expect(next.body.nextCursor).toBeUndefined()
    expect(idsOf(await get('questions'))).toEqual([])
  })

  it('searches in what was asked and answered, on later pages too, and only in what the caller may see', async () => {
    const { one, get } = await api({
      authorize: (_, { toolCallId }) => toolCallId !== 'toolu_hidden' && { answeredBy: 'Ada' },
    })
    for (const id of ['toolu_2', 'toolu_3', 'toolu_hidden']) await one.channel.open(openRecord(id))
    const said = (toolCallId: string, freeText: string) =>
      submitAnswer(
        one.sandbox,
        { toolCallId, status: 'completed', responses: { q1: { selected: [], freeText, source: 'human' } } },
        { answeredBy: toolCallId === 'toolu_3' ? 'Bo' : 'Ada', signingKeys: null },
      )
    await said('toolu_2', 'Straight on')
    await said('toolu_hidden', 'Straight back')
    await said('toolu_3', 'Left')
    const idsOf = ({ body }: { body: Record<string, unknown> }) =>
      (body.questions as { question: { toolCallId: string } }[]).map(({ question }) => question.toolCallId)
    expect(idsOf(await get('history'))).toEqual(['toolu_3', 'toolu_2'])
    const found = await get('history?limit=1&search=ON%20straight')
    expect(idsOf(found)).toEqual(['toolu_2'])
    expect(found.body.nextCursor).toBeUndefined()
    expect(idsOf(await get('history?search=back'))).toEqual([])
    expect(idsOf(await get('questions?search=second'))).toEqual(['toolu_1'])
    expect((await get('statistics')).body).toMatchObject({ day: { answered: 1 }, week: { answered: 1 } })
  })

  it('refuses wrong requests, and what does not exist', async () => {
    const { get, post, handle } = await api()
    for (const wrong of [
      'questions?limit=0',
      'history?cursor=none',
      `history?search=${'x'.repeat(201)}`,
      'question?sandbox=one',
      'answer',
      'log?sandbox=one',
      'run?sandbox=one',
    ])
      expect(codeOf(await get(wrong)), wrong).toBe('INVALID_REQUEST')
    for (const unknown of [
      'question?sandbox=one&toolCallId=unknown',
      'question?sandbox=three&toolCallId=toolu_1',
      'answer?sandbox=three&toolCallId=toolu_1',
      'answer?sandbox=one&toolCallId=unknown',
      'log?sandbox=one&runId=run-unknown',
    ])
      expect(codeOf(await get(unknown)), unknown).toBe('NOT_FOUND')
    expect(codeOf(await post('three', answer('A')))).toBe('NOT_FOUND')
    expect((await handle(new Request('http://localhost/api/inbox/nothing'))).status).toBe(404)
    expect((await handle(new Request('http://localhost/api/inbox/runs', { method: 'DELETE' }))).status).toBe(
      405,
    )
  })

  it('refuses callers by sign-in, site and host', async () => {
    const queries: Record<string, string> = {
      question: '?sandbox=one&toolCallId=toolu_1',
      answer: '?sandbox=one&toolCallId=toolu_1',
      log: '?sandbox=one&runId=run-1',
    }
    const paths = ROUTES.map((route) => `${route}${queries[route] ?? ''}`)
    const signedOut = await api({ authorize: refusing('UNAUTHENTICATED') })
    const failing = await api({ authorize: () => Promise.reject(new Error('secret')) })
    const open = await api()
    for (const path of paths) {
      expect(codeOf(await signedOut.get(path)), path).toBe('UNAUTHENTICATED')
      expect(codeOf(await failing.get(path)), path).toBe('INTERNAL')
      const headers = { origin: 'https://evil.example' }
      expect(codeOf(await open.get(path, { headers })), path).toBe('CROSS_SITE')
    }
    expect(codeOf(await signedOut.post('one', answer('A')))).toBe('UNAUTHENTICATED')
    expect(codeOf(await failing.post('one', answer('A')))).toBe('INTERNAL')
    const { get, post } = await api({ allowedHosts: ['inbox.example'] })
    expect(codeOf(await get('runs'))).toBe('WRONG_HOST')
    expect(codeOf(await post('one', answer('A')))).toBe('WRONG_HOST')
    const { one: _, ...strangers } = await api({ authorize: undefined })
    expect(codeOf(await strangers.get('questions'))).toBe('FORBIDDEN')
  })
})

describe('an answer link of an inbox', () => {
  const page = 'https://inbox.example/answer'

  async function linked() {
    const signingKeys = await parseSigningKeys(await createSigningKey())
    const found = await api({ authorize: undefined, links: { page }, signingKeys })
    const sandboxes = [{ id: 'two', name: 'Second', sandbox: found.two.sandbox }]
    const inbox = createInbox({ sandboxes, signingKeys })
    const link = await inbox.answerLink('two', { toolCallId: 'toolu_1', page, answeredBy: 'Ada' })
    const parts = new URLSearchParams(new URL(link).hash.slice(1))
    return { ...found, link, headers: { authorization: `Bearer ${parts.get('token')}` } }
  }

  it('names the sandbox, and answers its question once', async () => {
    const { link, headers, get, post, two } = await linked()
    expect(link).toMatch(/^https:\/\/inbox\.example\/answer#sandbox=two&toolCallId=toolu_1&token=/)
    const read = await get('answer?sandbox=two&toolCallId=toolu_1', { headers })
    expect(read.body).toMatchObject({ state: 'open' })
    expect((await post('two', answer('B'), headers)).status).toBe(200)
    const file = await readFile(join(two.sandbox.workdir, '.sandagent/approvals/toolu_1.json'), 'utf8')
    expect(JSON.parse(file)).toMatchObject({ answeredBy: 'Ada' })
    expect(codeOf(await get('answer?sandbox=two&toolCallId=toolu_1', { headers }))).toBe('LINK_USED')
    expect(codeOf(await post('two', answer('A'), headers))).toBe('LINK_USED')
  })

  it('opens no other question, sandbox or route', async () => {
    const { headers, get, post, two } = await linked()
    await two.channel.open(openRecord('toolu_2'))
    expect(codeOf(await post('one', answer('A'), headers))).toBe('LINK_INVALID')
    expect((await get('questions', { headers })).body).toEqual({ questions: [], unreachable: [] })
    expect((await get('history', { headers })).body).toEqual({ questions: [], unreachable: [] })
    expect(codeOf(await get('question?sandbox=two&toolCallId=toolu_1', { headers }))).toBe('NOT_FOUND')
    expect(codeOf(await get('log?sandbox=two&runId=run-1', { headers }))).toBe('NOT_FOUND')
    const listed = async (sandbox: string) => {
      const { body } = await get(`answer?sandbox=${sandbox}`, { headers })
      return (body as { questions: { toolCallId: string }[] }).questions.map(({ toolCallId }) => toolCallId)
    }
    expect(await listed('two')).toEqual(['toolu_1'])
    expect(await listed('one')).toEqual([])
  })

  it('is not made by an inbox without keys, nor for an unknown sandbox', async () => {
    const { two } = await linked()
    const sandboxes = [{ id: 'two', name: 'Second', sandbox: two.sandbox }]
    const request = { toolCallId: 'toolu_1', page }
    const without = createInbox({ sandboxes, signingKeys: null })
    await expect(without.answerLink('two', request)).rejects.toMatchObject({ code: 'NO_SIGNING_KEY' })
    await expect(createInbox({ sandboxes }).answerLink('one', request)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
  })
})

describe('the description of the inbox', () => {
  it('has no status that the tests above did not see, except those of unreadable answers and of passkeys', () => {
    const described = ROUTES.flatMap((route) =>
      documented(`/inbox/${route}`).map((status) => `/inbox/${route} ${status}`),
    )
    const missing = described.filter((status) => !reached.has(status))
    // test/api/openapi.test.ts reaches them at the same handler.
    expect(missing).toEqual(['/inbox/answer GET 503', '/inbox/answer POST 428', '/inbox/answer POST 503'])
  })
})
