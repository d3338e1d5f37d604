import { AskError, type AskErrorCode } from '@sandagent/core'
import { approvalQuestion, codesOf, decisionOn, httpStatusOf, signedDigest } from '@sandagent/core/internal'
import { createSecretKeys, sealSecret } from '@sandagent/core/secret'
import { createSoftPasskey, PASSKEY_SITE } from '@sandagent/fixtures/soft-passkey.ts'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { openPasskeys } from '@sandagent/passkeys'
import {
  type AnswerHandlerOptions,
  createAnswerHandler,
  createAnswerLink,
  createSigningKey,
  LocalSandbox,
  parseSigningKeys,
} from '@sandagent/sdk'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import { description, documented, expectDescribed, faultsOf } from '../support/openapi.ts'
import { createWorkspace } from '../support/workspace.ts'

const URL_OF_API = 'http://localhost/api/answer'
const PAGE = 'https://app.example.com/answer'
const answer = (label: string, more: object = {}) => ({
  toolCallId: 'toolu_1',
  status: 'completed',
  responses: { q1: { selected: [label] } },
  ...more,
})

/** What the handler replied in all tests, as `GET 200`. */
const reached = new Set<string>()

/** The answer API of a workspace in which `toolu_1` is asked, called as a web framework calls it. */
async function api(options: Partial<AnswerHandlerOptions> = {}) {
  const { sandbox, channel } = await createWorkspace()
  await channel.open(openRecord('toolu_1'))
  const signingKeys = await parseSigningKeys(await createSigningKey())
  const handler = createAnswerHandler({
    sandbox,
    authorize: () => true,
    links: { page: PAGE },
    signingKeys,
    onError: () => {},
    onWarning: () => {},
    ...options,
  })
  const link = async (answeredBy?: string) => {
    const request = { toolCallId: 'toolu_1', page: PAGE, answeredBy }
    const url = await createAnswerLink(sandbox, request, { signingKeys })
    return new URLSearchParams(new URL(url).hash.slice(1)).get('token')
  }
  const call = async (method: 'get' | 'post', request: Request) => {
    const response = await handler[method === 'get' ? 'GET' : 'POST'](request)
    reached.add(`${request.method} ${response.status}`)
    return response
  }
  const get = async (query = '', headers: Record<string, string> = {}) => {
    const response = await call('get', new Request(URL_OF_API + query, { headers }))
    return { status: response.status, body: await expectDescribed('get', response), response }
  }
  const post = async (body: unknown, headers: Record<string, string> = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    const all = { 'content-type': 'application/json', ...headers }
    const response = await call('post', new Request(URL_OF_API, { method: 'POST', headers: all, body: text }))
    return { status: response.status, body: await expectDescribed('post', response) }
  }
  return { sandbox, channel, link, get, post }
}

const codeOf = ({ body }: { body: Record<string, unknown> }) => (body.error as { code: string }).code

const refusing = (code: AskErrorCode) => () => {
  throw new AskError(code, 'Refused by the test')
}

const EVENTS = { accept: 'text/event-stream' }

/** The first events of a stream, which is then closed. After the first one, `next` happens. */
async function eventsOf(response: Response, count: number, next = async (): Promise<unknown> => undefined) {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  const events = () => text.split('\n\n').filter((block) => /^(data|event):/.test(block))
  const read = async (wanted: number) => {
    while (events().length < wanted) text += new TextDecoder().decode((await reader.read()).value)
  }
  await read(1)
  await next()
  await read(count)
  await reader.cancel()
  return events().map((event) => ({
    name: /^event: (.+)$/m.exec(event)?.[1],
    data: JSON.parse(/^data: (.+)$/m.exec(event)?.[1] ?? 'null'),
  }))
}

describe('the described GET', () => {
  it('lists the questions that wait', async () => {
    const { get } = await api()
    expect((await get()).body).toMatchObject({ questions: [{ toolCallId: 'toolu_1', state: 'open' }] })
  })

  it('lists page by page, and refuses what is no page', async () => {
    const { get, channel } = await api()
    await channel.open(openRecord('toolu_2', { askedAt: '2030-01-01T00:00:00.000Z' }))
    const first = await get('?limit=1')
    expect(first.body).toMatchObject({
      questions: [{ toolCallId: 'toolu_1' }],
      nextCursor: expect.any(String),
    })
    const { nextCursor } = first.body as { nextCursor: string }
    const second = await get(`?limit=1&cursor=${nextCursor}`)
    expect(second.body).toMatchObject({ questions: [{ toolCallId: 'toolu_2' }] })
    expect(second.body).not.toHaveProperty('nextCursor')
    for (const page of ['limit=0', 'limit=1001', 'limit=one', 'cursor=none'])
      expect(await get(`?${page}`)).toMatchObject({
        status: 400,
        body: { error: { code: 'INVALID_REQUEST' } },
      })
  })

  it('shows a question in each state', async () => {
    const { get, post, channel } = await api()
    await channel.open(
      openRecord('toolu_2', {
        kind: 'approval',
        subject: { toolName: 'Bash', input: { command: 'ls' } },
        asker: { agent: 'reviewer', parentToolCallId: 'toolu_0' },
        timeoutMs: 60_000,
        deadline: '2026-01-01T00:01:00.000Z',
        takesQuestions: true,
      }),
    )
    const asking = { toolCallId: 'toolu_2', status: 'declined', reason: 'Why?', asksBack: true }
    expect((await post(asking)).body).toMatchObject({ success: true, status: 'declined' })
    await channel.open(
      openRecord('toolu_3', {
        kind: 'approval',
        asker: { agent: 'reviewer', parentToolCallId: 'toolu_0' },
        follows: { toolCallId: 'toolu_2', question: 'Why?', reply: 'Because.' },
      }),
    )
    expect((await get('?toolCallId=toolu_3')).body).toMatchObject({
      thread: [{ question: 'Why?', reply: 'Because.' }],
    })
    expect((await get('?toolCallId=toolu_2')).body).toMatchObject({
      kind: 'approval',
      subject: { toolName: 'Bash' },
    })
    await post(answer('A', { status: 'pending' }))
    expect((await get('?toolCallId=toolu_1')).body).toMatchObject({ state: 'open', revision: 1 })
    await post({ toolCallId: 'toolu_1', status: 'declined', reason: 'No time' })
    expect((await get('?toolCallId=toolu_1')).body).toMatchObject({ state: 'sent', declined: true })
    await channel.settle('toolu_1', {
      state: 'answered',
      settledAt: '2026-01-01T00:00:02.000Z',
      responses: { q1: { selected: ['A'], source: 'human' } },
    })
    expect((await get('?toolCallId=toolu_1')).body).toMatchObject({ state: 'answered', disputed: true })
  })

  it('follows one question, and several', async () => {
    const { get } = await api()
    const [view] = await eventsOf((await get('?toolCallId=toolu_1', EVENTS)).response, 1)
    expect(faultsOf('QuestionView', view?.data)).toEqual([])
    const several = await get('?toolCallId=toolu_1&toolCallId=toolu_2', EVENTS)
    const [opening, first] = await eventsOf(several.response, 2)
    expect(opening).toMatchObject({ name: 'following', data: { following: ['toolu_1', 'toolu_2'] } })
    expect(faultsOf('Following', opening?.data)).toEqual([])
    expect(faultsOf('QuestionView', first?.data)).toEqual([])
  })

  it('follows all that wait', async () => {
    const { get, channel } = await api()
    const { response } = await get('', EVENTS)
    const [list, asked] = await eventsOf(response, 2, () => channel.open(openRecord('toolu_2')))
    expect(list).toMatchObject({ name: 'list', data: { questions: [{ toolCallId: 'toolu_1' }] } })
    expect(faultsOf('QuestionList', list?.data)).toEqual([])
    expect(asked).toMatchObject({ name: undefined, data: { toolCallId: 'toolu_2' } })
    expect(faultsOf('QuestionView', asked?.data)).toEqual([])
  })

  it('says in a stream who else is there, and shows their drafts', async () => {
    const { get, post } = await api({ clock: createFakeClock() })
    await post(answer('A', { status: 'pending', browser: 'one' }))
    const { response } = await get('?toolCallId=toolu_1&browser=two', EVENTS)
    const [view, presence] = await eventsOf(response, 2, async () =>
      eventsOf((await get('?toolCallId=toolu_1&browser=three', EVENTS)).response, 1),
    )
    expect(view?.data).toMatchObject({ otherDrafts: [{ revision: 1 }], people: [{ isTyping: true }] })
    expect(faultsOf('QuestionView', view?.data)).toEqual([])
    expect(presence).toMatchObject({ name: 'presence', data: { people: [{}, { isTyping: false }] } })
    expect(faultsOf('Presence', presence?.data)).toEqual([])
  })

  it('refuses too many questions for one stream', async () => {
    const { get } = await api()
    const query = Array.from({ length: 101 }, (_, index) => `toolCallId=toolu_${index}`).join('&')
    expect((await get(`?${query}`, EVENTS)).status).toBe(400)
  })

  it('says why it refuses callers, unknown questions and used links', async () => {
    const { get, post, link } = await api()
    const bearer = { authorization: `Bearer ${await link()}` }
    expect(codeOf(await get('?toolCallId=toolu_1', { origin: 'https://evil.example' }))).toBe('CROSS_SITE')
    expect(codeOf(await get('?toolCallId=unknown'))).toBe('NOT_FOUND')
    expect((await post(answer('A'), bearer)).status).toBe(200)
    expect(codeOf(await get('?toolCallId=toolu_1', bearer))).toBe('LINK_USED')
    const signedOut = await api({ authorize: refusing('UNAUTHENTICATED') })
    expect(codeOf(await signedOut.get('?toolCallId=toolu_1'))).toBe('UNAUTHENTICATED')
  })

  it('tells failures of the host from places that cannot be read', async () => {
    const failing = await api({ authorize: () => Promise.reject(new Error('secret')) })
    expect(codeOf(await failing.get('?toolCallId=toolu_1'))).toBe('INTERNAL')
    const empty = await api({ sandbox: new LocalSandbox({ workdir: await tempDir() }) })
    expect(codeOf(await empty.get('?toolCallId=toolu_1'))).toBe('UNREACHABLE')
  })
})

describe('the described POST', () => {
  it('stores drafts, answers and refusals', async () => {
    const { post } = await api()
    expect((await post(answer('A', { status: 'pending' }))).body).toMatchObject({
      status: 'pending',
      revision: 1,
    })
    expect((await post(answer('A'))).body).toMatchObject({ status: 'completed', revision: 2 })
    const other = await api()
    expect((await other.post({ toolCallId: 'toolu_1', status: 'declined' })).body).toMatchObject({
      status: 'declined',
    })
  })

  it('counts votes under a policy, and refuses people who may not answer', async () => {
    const { get, post, link, channel } = await api({
      policy: [{ roles: ['lead'], people: ['Cleo'], votes: 2 }],
      authorize: ({ headers }) => {
        const [answeredBy = '', ...roles] = (headers.get('x-user') ?? '').split(' ')
        return { answeredBy, roles }
      },
    })
    const as = (user: string) => ({ 'x-user': user })
    expect((await get('?toolCallId=toolu_1', as('Eve guest'))).body).toMatchObject({
      rule: { roles: ['lead'] },
      mayAnswer: false,
    })
    const refused = await post(answer('A'), as('Eve guest'))
    expect([refused.status, codeOf(refused)]).toEqual([403, 'NOT_ALLOWED'])
    expect(refused.body).toMatchObject({
      error: { message: 'Only Cleo or a person with the role lead may answer this' },
      question: { mayAnswer: false },
    })
    expect((await post(answer('A'), as('Ada lead'))).body).toMatchObject({
      status: 'pending',
      missingVotes: 1,
    })
    const voted = [{ name: 'Ada', responses: { q1: { selected: ['A'] } } }]
    expect((await get('', as('Ben lead'))).body).toMatchObject({
      questions: [{ votes: voted, mayAnswer: true }],
    })
    const { response } = await get('?toolCallId=toolu_1', { ...EVENTS, ...as('Ada lead') })
    expect((await eventsOf(response, 1))[0]?.data).toMatchObject({
      votes: [{ isOwn: true }],
      mayAnswer: true,
    })
    // These links have no roles.
    const forNobody = { authorization: `Bearer ${await link()}` }
    expect(codeOf(await post(answer('A'), forNobody))).toBe('NOT_ALLOWED')
    const forCleo = { authorization: `Bearer ${await link('Cleo')}` }
    expect((await post(answer('A'), forCleo)).body).toMatchObject({ status: 'completed' })
    await channel.settle('toolu_1', {
      state: 'answered',
      settledAt: '2026-01-01T00:00:02.000Z',
      responses: { q1: { selected: ['A'], source: 'human' } },
      answeredBy: 'Cleo',
      voters: ['Ada', 'Cleo'],
      revision: 2,
    })
    const { body } = await get('?toolCallId=toolu_1', as('Ada lead'))
    expect(body).toMatchObject({
      state: 'answered',
      byOther: false,
      votes: [{ name: 'Ada' }, { name: 'Cleo' }],
    })
    expect(body).not.toHaveProperty('disputed')
  })

  it('lets a passkey sign for a call, says so before, and refuses without one', async () => {
    const passkeys = openPasskeys({ ...PASSKEY_SITE, folder: await tempDir() })
    const ada = createSoftPasskey('Ada')
    const code = await passkeys.newCode('Ada')
    const { challenge } = await passkeys.begin('Ada')
    await passkeys.register('Ada', { challenge, code, name: '', response: ada.register(challenge) })
    const { get, post, channel } = await api({
      passkeys,
      policy: [{ for: { tools: ['Bash'] }, passkey: true }, {}],
      authorize: () => ({ answeredBy: 'Ada' }),
    })
    const record = openRecord('toolu_2', {
      ...{ kind: 'approval', questions: [{ ...approvalQuestion('Bash'), id: 'permission' }] },
      subject: { toolName: 'Bash', input: { command: 'ls' } },
      passkeys: { ...PASSKEY_SITE, ids: [ada.id], votes: 1, runId: 'run_1' },
    })
    await channel.open(record)
    expect((await get('?toolCallId=toolu_2')).body).toMatchObject({
      passkey: { rpId: PASSKEY_SITE.rpId, ids: [ada.id] },
      rule: { passkey: true },
    })
    const responses = { permission: { selected: ['allow-once'], source: 'human' as const } }
    const request = { toolCallId: 'toolu_2', status: 'completed', responses }
    const refused = await post(request)
    expect([refused.status, codeOf(refused)]).toEqual([428, 'PASSKEY_NEEDED'])
    const signed = { ...request, passkey: ada.sign(signedDigest(decisionOn(record, responses))) }
    expect(faultsOf('AnswerRequest', signed)).toEqual([])
    expect((await post(signed)).body).toMatchObject({ status: 'completed' })
    expect((await get('?toolCallId=toolu_2')).body).not.toHaveProperty('passkey')
  })

  it('takes a secret encrypted, for the key that the question names', async () => {
    const { get, post, channel } = await api()
    const { publicKey } = await createSecretKeys()
    const questions = [
      { id: 'q1', question: 'The token?', secret: { publicKey }, allowFreeText: false },
      { id: 'q2', question: 'Its name?' },
    ]
    await channel.open(openRecord('toolu_2', { questions }))
    const { body } = await get('?toolCallId=toolu_2')
    expect(body).toMatchObject({ questions: [{ secret: { publicKey } }, {}] })
    const place = { toolCallId: 'toolu_2', questionId: 'q1', questionDigest: `${body.questionDigest}` }
    const sealed = await sealSecret('s3cret', publicKey, place)
    const request = {
      ...{ toolCallId: 'toolu_2', status: 'completed' },
      responses: { q1: { selected: [], sealed }, q2: { selected: [], freeText: 'npm' } },
    }
    expect(faultsOf('AnswerRequest', request)).toEqual([])
    expect((await post(request)).status).toBe(200)
    expect((await get('?toolCallId=toolu_2')).body).toMatchObject({ state: 'sent' })
  })

  it('refuses what has the wrong form', async () => {
    const { post } = await api()
    expect(codeOf(await post('{'))).toBe('INVALID_REQUEST')
    expect(codeOf(await post(answer('C')))).toBe('INVALID_ANSWERS')
    expect(codeOf(await post('{}', { 'content-type': 'text/plain' }))).toBe('UNSUPPORTED_MEDIA_TYPE')
    expect(codeOf(await post(answer('x'.repeat(300_000))))).toBe('TOO_LARGE')
  })

  it('refuses callers, unknown questions and foreign links', async () => {
    const { post } = await api({ allowedHosts: ['localhost'] })
    expect(codeOf(await post(answer('A'), { host: 'evil.example' }))).toBe('WRONG_HOST')
    expect(codeOf(await post(answer('A', { toolCallId: 'unknown' })))).toBe('NOT_FOUND')
    const stranger = await api({ authorize: () => false })
    expect(codeOf(await stranger.post(answer('A')))).toBe('FORBIDDEN')
    const bearer = { authorization: `Bearer ${await stranger.link()}` }
    expect(codeOf(await post(answer('A'), bearer))).toBe('LINK_INVALID')
  })

  it('tells of what came first, and of questions that changed or ended', async () => {
    const { post } = await api()
    expect(codeOf(await post(answer('A', { questionDigest: 'another' })))).toBe('CHANGED')
    await post(answer('A'))
    const conflict = await post(answer('B'))
    expect(codeOf(conflict)).toBe('CONFLICT')
    expect(conflict.body.question).toMatchObject({ state: 'sent' })
    const ended = await api()
    const receipt = { state: 'timed-out', settledAt: '2026-01-01T00:00:02.000Z', responses: {} } as const
    await ended.channel.settle('toolu_1', receipt)
    expect(codeOf(await ended.post(answer('A')))).toBe('GONE')
  })

  it('limits the requests for one question', async () => {
    const { post } = await api({ clock: createFakeClock() })
    for (let count = 0; count < 60; count++) await post(answer('C'))
    expect(codeOf(await post(answer('C')))).toBe('RATE_LIMITED')
  })

  it('tells failures of the host from places that cannot be read', async () => {
    const failing = await api({ authorize: () => Promise.reject(new Error('secret')) })
    expect(codeOf(await failing.post(answer('A')))).toBe('INTERNAL')
    const empty = await api({ sandbox: new LocalSandbox({ workdir: await tempDir() }) })
    expect(codeOf(await empty.post(answer('A')))).toBe('UNREACHABLE')
  })
})

describe('the description', () => {
  it('has no status that the tests above did not see', () => {
    expect([...reached].sort()).toEqual(documented('/answer').toSorted())
  })

  it('names each code that clients get', () => {
    const { ErrorCode } = description.components.schemas
    const unavailable: AskErrorCode[] = ['NO_SIGNING_KEY', 'UNREACHABLE', 'WRONG_USER']
    expect(unavailable.map(httpStatusOf)).toEqual([503, 503, 503])
    const refusals = Array.from({ length: 100 }, (_, index) => codesOf(400 + index)).flat()
    expect(ErrorCode?.enum?.toSorted()).toEqual(['INTERNAL', ...unavailable, ...refusals].sort())
  })
})
