import { parseRequest, type WaitingForUserInput } from '@sandagent/core/dialects/agentrail'
import { createFileHostChannel } from '@sandagent/files'
import * as runner from '@sandagent/runner'
import {
  type AgentRailToolOutput,
  askUserCapability,
  createAskRegistry,
  createAskUserQuestionTool,
  type WaitingForInput,
} from '@sandagent/runner/agentrail'
import { declineQuestion, listQuestions } from '@sandagent/sdk'
import { createAnswerRegistry, createRespondHandler } from '@sandagent/sdk/agentrail'
import { describe, expect, it, vi } from 'vitest'
import { post, serve } from '../support/servers/serve.ts'
import { createWorkspace } from '../support/workspace.ts'

const FRAMEWORK = { question: 'Which framework?', options: ['Vitest (Recommended)', 'Jest, with ts-jest'] }

/** An agent's end and a host's end over the same folder, and the host's route over HTTP. */
async function start(options: { requireToolCallId?: boolean } = {}) {
  const { sandbox, channel } = await createWorkspace()
  const asking = createAskRegistry({ channel })
  const registry = createAnswerRegistry({ sandbox })
  const handler = createRespondHandler({ sandbox, ...options })
  const origin = await serve(handler)
  const events: WaitingForUserInput[] = []
  const tool = createAskUserQuestionTool('s1', asking, { onEvent: (event) => events.push(event) })

  /** Calls the tool, and resolves once the page knows of it. */
  const call = async (toolCallId: string, params: object, signal?: AbortSignal) => {
    const result = tool.execute(toolCallId, params, signal)
    result.catch(() => {})
    await vi.waitFor(() => expect(events.map((event) => event.toolCallId)).toContain(toolCallId))
    return { result }
  }
  const respond = async (body: unknown, session = 's1') => {
    const response = await post(`${origin}/api/sessions/${session}/respond`, body)
    return { status: response.status, body: await response.json() }
  }
  const answer = (text: string, toolCallId?: string) => ({
    kind: 'question',
    answer: text,
    ...(toolCallId && { toolCallId }),
  })
  return { sandbox, channel, asking, registry, origin, tool, events, call, respond, answer }
}

describe('AgentRail’s tool', () => {
  it('tells the page of the question, waits, and gives the model the answer', async () => {
    const { call, respond, answer, events } = await start()
    const { result } = await call('c1', FRAMEWORK)
    expect(events).toEqual([
      { type: 'waiting_for_user_input', toolCallId: 'c1', multiple: false, custom: true, ...FRAMEWORK },
    ])
    expect(await respond(answer('Jest, with ts-jest'))).toEqual({ status: 200, body: { ok: true } })
    expect(await result).toEqual({
      content: [{ type: 'text', text: 'Jest, with ts-jest' }],
      details: { question: 'Which framework?', answer: 'Jest, with ts-jest' },
    })
  })

  it('signals AgentRail’s runtime, which makes the event of it', async () => {
    const { tool, registry } = await start()
    const signals: WaitingForInput[] = []
    const result = tool.execute('c1', FRAMEWORK, undefined, undefined, (signal) => signals.push(signal))
    await vi.waitFor(() =>
      expect(signals).toEqual([{ type: 'waiting_for_input', multiple: false, custom: true, ...FRAMEWORK }]),
    )
    expect(await registry.respond('s1', 'Neither')).toBe(true)
    expect((await result).details.answer).toBe('Neither')
  })

  it('joins several choices, and gives typed words without the space around them', async () => {
    const { call, respond, answer } = await start()
    const several = await call('c1', { ...FRAMEWORK, multiple: true })
    await respond(answer('Vitest (Recommended), "Jest, with ts-jest"'))
    expect((await several.result).details.answer).toBe('Vitest (Recommended), "Jest, with ts-jest"')
    const open = await call('c2', { question: 'Where to?', hint: 'a cloud' })
    await respond(answer('  AWS \n'))
    expect((await open.result).details.answer).toBe('AWS')
  })

  it('refuses what cannot be asked, before anybody is asked', async () => {
    const { tool, sandbox } = await start()
    for (const wrong of [
      {},
      { question: ' ' },
      { question: 'Q', options: 'A' },
      { question: 'Q', options: ['A', 'A'] },
      { question: 'Q', custom: false },
    ])
      await expect(tool.execute('c1', wrong)).rejects.toMatchObject({ code: 'INVALID_QUESTIONS' })
    expect(await listQuestions(sandbox)).toEqual([])
  })

  it('fails with words for the model when the user declines', async () => {
    const { call, registry } = await start()
    const { result } = await call('c1', FRAMEWORK)
    expect(await registry.cancel('s1')).toBe(true)
    await expect(result).rejects.toMatchObject({
      name: 'UnansweredError',
      message: expect.stringMatching(/^The user declined to answer\. Do not ask the same again/),
    })
    expect(await registry.cancel('s1')).toBe(false)
  })

  it('withdraws its question when the call is aborted, also when it was before', async () => {
    const { call, tool, registry } = await start()
    const stop = new AbortController()
    const { result } = await call('c1', FRAMEWORK, stop.signal)
    stop.abort()
    await expect(result).rejects.toThrow('The question was withdrawn')
    expect(await registry.hasPending('s1')).toBe(false)
    await expect(tool.execute('c2', FRAMEWORK, AbortSignal.abort())).rejects.toThrow('withdrawn')
    expect(await registry.hasPending('s1')).toBe(false)
  })

  it('takes an answer that was given while its process was gone', async () => {
    const { channel, sandbox, tool, respond, answer } = await start()
    const leave = new AbortController()
    const request = { toolCallId: 'c1', runId: 's1', questions: parseRequest(FRAMEWORK) }
    const before = runner.askUser(channel, request, { detachSignal: leave.signal })
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    leave.abort()
    await before
    expect((await respond(answer('Neither'))).status).toBe(200)
    expect((await tool.execute('c1', FRAMEWORK)).details.answer).toBe('Neither')
  })

  it('is what the capability builds', async () => {
    const { asking, registry } = await start()
    const [tool] = await askUserCapability(asking).buildTools({ sessionId: 's2' })
    const result = tool?.execute('c1', { question: 'Why?' }) as Promise<AgentRailToolOutput>
    await vi.waitFor(async () => expect(await registry.hasPending('s2')).toBe(true))
    expect(await registry.hasPending('s1')).toBe(false)
    await registry.respond('s2', 'Because')
    expect((await result).details).toEqual({ question: 'Why?', answer: 'Because' })
  })

  it('takes both halves of a registry as one, as AgentRail has it', async () => {
    const { asking, registry: answering, tool } = await start()
    const registry = { ...asking, ...answering }
    const answer = createAskUserQuestionTool('s1', registry).execute('c1', FRAMEWORK)
    await vi.waitFor(async () => expect(await registry.hasPending('s1')).toBe(true))
    expect(await registry.respond('s1', 'Neither')).toBe(true)
    expect((await answer).details.answer).toBe('Neither')
    expect(await registry.respond('s1', 'Neither')).toBe(false)
    expect((await tool.execute('c1', FRAMEWORK)).details.answer).toBe('Neither')
  })

  it('holds to the policy of its host', async () => {
    const { sandbox, asking } = await start()
    const registry = createAnswerRegistry({ sandbox, policy: [{ roles: ['lead'], votes: 2 }] })
    const answer = asking.register('s1', 'Why?')
    await vi.waitFor(async () => expect(await registry.hasPending('s1')).toBe(true))
    const guest = { answeredBy: 'Eve', roles: ['guest'] }
    await expect(registry.respond('s1', 'So', guest)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    await expect(registry.cancel('s1', guest)).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    await expect(registry.respond('s1', 'So')).rejects.toMatchObject({ code: 'NOT_ALLOWED' })
    expect(await registry.respond('s1', 'Because', { answeredBy: 'Ada', roles: ['lead'] })).toBe(true)
    expect(await registry.hasPending('s1')).toBe(true)
    expect(await registry.respond('s1', 'Because', { answeredBy: 'Ben', roles: ['lead'] })).toBe(true)
    expect(await answer).toBe('Because')
  })

  it('asks in words alone what a caller registers without a tool call', async () => {
    const { asking, registry, sandbox } = await start()
    const answer = asking.register('s1', 'Why?')
    await vi.waitFor(async () => expect(await registry.hasPending('s1')).toBe(true))
    expect(await listQuestions(sandbox)).toMatchObject([{ questions: [{ question: 'Why?' }] }])
    await registry.respond('s1', 'Because')
    expect(await answer).toBe('Because')
  })
})

describe('POST /api/sessions/:sessionId/respond', () => {
  it('answers each of several questions by its name, and none by a guess', async () => {
    const { call, respond, answer } = await start()
    const first = await call('c1', { question: 'First?' })
    const second = await call('c2', { question: 'Second?' })
    expect(await respond(answer('which?'))).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', message: expect.stringContaining('toolCallId') } },
    })
    expect((await respond(answer('two', 'c2'))).status).toBe(200)
    expect((await respond(answer('one', 'c1'))).status).toBe(200)
    expect((await first.result).details.answer).toBe('one')
    expect((await second.result).details.answer).toBe('two')
  })

  it.each([
    ['no JSON', '{"kind":'],
    ['another kind', { kind: 'permission', decision: 'approved' }],
    ['no answer', { kind: 'question' }],
    ['an empty answer', { kind: 'question', answer: ' \n' }],
    ['an answer that is no text', { kind: 'question', answer: 1 }],
    ['an empty name', { kind: 'question', answer: 'A', toolCallId: '' }],
  ])('says 400 to %s, and the question waits on', async (_, body) => {
    const { call, respond, registry } = await start()
    await call('c1', FRAMEWORK)
    expect(await respond(body)).toMatchObject({ status: 400, body: { error: { code: 'INVALID_REQUEST' } } })
    expect(await registry.hasPending('s1')).toBe(true)
  })

  it('says 400 to an answer that the question does not allow', async () => {
    const { call, respond, answer, registry } = await start()
    await call('c1', { ...FRAMEWORK, custom: false })
    expect(await respond(answer('Mocha'))).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_ANSWERS' } },
    })
    expect(await registry.hasPending('s1')).toBe(true)
  })

  it('says 404 when nothing waits, or nothing of this session', async () => {
    const { call, respond, answer, origin } = await start()
    expect((await respond(answer('A'))).status).toBe(404)
    const { result } = await call('c1', FRAMEWORK)
    expect((await respond(answer('A'), 's2')).status).toBe(404)
    expect((await respond(answer('A', 'c1'), 's2')).status).toBe(404)
    expect((await respond(answer('A', 'c2'))).status).toBe(404)
    expect((await post(`${origin}/api/sessions/%ff/respond`, answer('A'))).status).toBe(404)
    expect((await respond(answer('A'))).status).toBe(200)
    await result
    expect((await respond(answer('A'))).status).toBe(404)
  })

  it('takes the same answer again, and not another one', async () => {
    const { call, respond, answer } = await start()
    const { result } = await call('c1', FRAMEWORK)
    expect((await respond(answer('A', 'c1'))).status).toBe(200)
    expect((await respond(answer('A', 'c1'))).status).toBe(200)
    expect((await respond(answer('B', 'c1'))).status).toBe(409)
    expect((await result).details.answer).toBe('A')
  })

  it('says 410 to an answer that comes too late', async () => {
    const { call, respond, answer } = await start()
    const stop = new AbortController()
    const { result } = await call('c1', FRAMEWORK, stop.signal)
    stop.abort()
    await expect(result).rejects.toThrow('withdrawn')
    expect((await respond(answer('A', 'c1'))).status).toBe(410)
  })

  it('keeps a page that was left open from answering the next question, where names are required', async () => {
    const { call, respond, answer, registry } = await start({ requireToolCallId: true })
    const first = await call('c1', { question: 'Keep the data?' })
    await respond(answer('yes', 'c1'))
    await first.result
    await call('c2', { question: 'Delete the data?' })
    expect(await respond(answer('yes'))).toMatchObject({
      status: 400,
      body: { error: { faults: [{ path: 'toolCallId' }] } },
    })
    expect((await respond(answer('no', 'c1'))).status).toBe(409)
    expect(await registry.hasPending('s1')).toBe(true)
  })

  it('says that an answer is a vote, until enough people have given it', async () => {
    const { sandbox, channel } = await createWorkspace()
    const authorize = ({ headers }: Request) => ({ answeredBy: headers.get('x-user') ?? '', roles: ['lead'] })
    const policy = [{ roles: ['lead'], votes: 2 }]
    const origin = await serve(createRespondHandler({ sandbox, authorize, policy }))
    const outcome = createAskRegistry({ channel }).register('s1', 'Why?')
    await vi.waitFor(async () => expect(await listQuestions(sandbox)).toHaveLength(1))
    const respond = async (user: string) => {
      const body = { kind: 'question', answer: 'Because' }
      const response = await post(`${origin}/api/sessions/s1/respond`, body, { 'x-user': user })
      return [response.status, await response.json()]
    }
    expect(await respond('Ada')).toEqual([200, { ok: true, missingVotes: 1 }])
    expect(await respond('Ben')).toEqual([200, { ok: true }])
    expect(await outcome).toBe('Because')
  })

  it('lets in whom the host allows, under the name that the host knows', async () => {
    const { sandbox, channel } = await createWorkspace()
    const registry = createAnswerRegistry({ sandbox })
    const origin = await serve(
      createRespondHandler({
        sandbox,
        authorize: (request, { record }) =>
          new URL(request.url).searchParams.get('key') === `of ${record?.runId}` && {
            answeredBy: 'key holder',
          },
      }),
    )
    const outcome = createAskRegistry({ channel }).register('s1', 'Why?')
    await vi.waitFor(async () => expect(await registry.hasPending('s1')).toBe(true))
    const body = { kind: 'question', answer: 'Because' }
    const [{ toolCallId } = { toolCallId: '' }] = await listQuestions(sandbox)
    const respond = async (key: string, more: object = {}) =>
      (await post(`${origin}/api/sessions/s1/respond?key=of%20${key}`, { ...body, ...more })).status
    expect(await respond('s2')).toBe(404)
    expect(await respond('s2', { toolCallId })).toBe(403)
    expect(await respond('s1')).toBe(200)
    expect(await outcome).toBe('Because')
    await runner.receiptsWritten()
    const [record] = await createFileHostChannel({ files: sandbox.files }).questions()
    expect(record).toMatchObject({ state: 'answered', answeredBy: 'key holder', runId: 's1' })
  })

  it('refuses what another web site sends', async () => {
    const { call, origin, registry, answer } = await start()
    await call('c1', FRAMEWORK)
    const response = await fetch(`${origin}/api/sessions/s1/respond`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: 'https://other.example' },
      body: JSON.stringify(answer('Jest')),
    })
    expect(response.status).toBe(403)
    expect(await registry.hasPending('s1')).toBe(true)
  })

  it('leaves alone what other tools ask in the same folder', async () => {
    const { call, sandbox, registry, respond, answer } = await start()
    const { result } = await call('c1', FRAMEWORK)
    await declineQuestion(sandbox, { toolCallId: 'c1', reason: 'from elsewhere' })
    await expect(result).rejects.toThrow('from elsewhere')
    expect(await registry.hasPending('s1')).toBe(false)
    expect((await respond(answer('A'))).status).toBe(404)
  })
})
