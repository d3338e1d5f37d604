import { describe, expect, it } from 'vitest'
import {
  createAnswerRegistry,
  createRespondHandler,
  type RespondHandlerOptions,
} from '../../src/agentrail/index.ts'
import { answerFile, ask, refusalOf, tempSandbox } from '../support/temp-sandbox.ts'

async function serving(options: Partial<RespondHandlerOptions> = {}) {
  const sandbox = await tempSandbox()
  const { POST } = createRespondHandler({
    ...{ sandbox, authorize: () => true, signingKeys: null, onWarning: () => {} },
    ...options,
  })
  const post = async (body: unknown, path = 'sessions/s%201/respond') => {
    const response = await POST(
      new Request(`http://localhost/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    )
    const { error, ...reply } = await response.json()
    return { status: response.status, code: error?.code, reply, headers: response.headers }
  }
  return { sandbox, post }
}

describe('the answer to a session', () => {
  it('reaches the question that waits there', async () => {
    const { sandbox, post } = await serving()
    await ask(sandbox, 'other', undefined, { runId: 's2' })
    await ask(sandbox, 'a', undefined, { runId: 's 1' })
    const { status, reply, headers } = await post({ kind: 'question', answer: 'Python' })
    expect([status, reply, headers.get('cache-control')]).toEqual([200, { ok: true }, 'no-store'])
    expect(JSON.stringify(await answerFile(sandbox, 'a'))).toContain('Python')
    await expect(answerFile(sandbox, 'other')).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('reaches the question that it names, when several wait', async () => {
    const { sandbox, post } = await serving()
    for (const toolCallId of ['a', 'b']) await ask(sandbox, toolCallId, undefined, { runId: 's 1' })
    expect(await post({ answer: 'Python' })).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect(await post({ answer: 'Python', toolCallId: 'b' }, 'sessions/s%201/respond/')).toMatchObject({
      status: 200,
    })
    expect(await answerFile(sandbox, 'b')).toMatchObject({ status: 'completed' })
    expect(await post({ answer: 'Python', toolCallId: 'a' }, 'sessions/s2/respond')).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  it('must name its question where the host wants that', async () => {
    const { sandbox, post } = await serving({ requireToolCallId: true })
    await ask(sandbox, 'a', undefined, { runId: 's 1' })
    expect(await post({ answer: 'Python' })).toMatchObject({ status: 400, code: 'INVALID_REQUEST' })
    expect(await post({ answer: 'Python', toolCallId: 'a' })).toMatchObject({ status: 200 })
  })

  it('says how many votes are missing', async () => {
    const policy = [{ votes: 2 }] as never
    const { sandbox, post } = await serving({ authorize: () => ({ answeredBy: 'ada' }), policy })
    await ask(sandbox, 'a', undefined, { runId: 's 1' })
    expect(await post({ answer: 'Python' })).toMatchObject({
      status: 200,
      reply: { ok: true, missingVotes: 1 },
    })
  })

  it.each<[string, unknown, string | undefined, number]>([
    ['no answer', {}, undefined, 400],
    ['an empty answer', { answer: '' }, undefined, 400],
    ['another kind', { kind: 'approval', answer: 'x' }, undefined, 400],
    ['an empty name', { answer: 'x', toolCallId: '' }, undefined, 400],
    ['no question', { answer: 'x' }, undefined, 404],
    ['another path', { answer: 'x' }, 'sessions/s/other', 404],
    ['a wrong path', { answer: 'x' }, 'sessions/%zz/respond', 404],
  ])('is refused with %s', async (_, body, path, status) => {
    const { post } = await serving()
    expect((await post(body, path)).status).toBe(status)
  })

  it('cannot have options that do not exist', async () => {
    const sandbox = await tempSandbox()
    expect(() => createRespondHandler({ sandbox, links: true } as never)).toThrow(/links/)
  })
})

describe('a registry of answers', () => {
  it('says what waits, and answers or declines it', async () => {
    const sandbox = await tempSandbox()
    const seen: string[] = []
    const find = (sessionId: string) => {
      seen.push(sessionId)
      return sandbox
    }
    const registry = createAnswerRegistry({ sandbox: find, signingKeys: null })
    const nothing = [registry.hasPending('s'), registry.respond('s', 'x'), registry.cancel('s')]
    expect(await Promise.all(nothing)).toEqual([false, false, false])
    expect(new Set(seen)).toEqual(new Set(['s']))
    for (const toolCallId of ['a', 'b', 'c']) await ask(sandbox, toolCallId, undefined, { runId: 's' })
    expect([await registry.hasPending('s'), await registry.hasPending('t')]).toEqual([true, false])
    expect(await refusalOf(registry.respond('s', 'Python'))).toMatchObject({ code: 'CONFLICT' })
    expect(await registry.respond('t', 'Python', { toolCallId: 'a' })).toBe(false)
    expect(await registry.respond('s', 'Python', { toolCallId: 'a', answeredBy: 'ada' })).toBe(true)
    expect(await answerFile(sandbox, 'a')).toMatchObject({ status: 'completed', answeredBy: 'ada' })
    expect(await registry.cancel('s', { toolCallId: 'b', answeredBy: 'bo' })).toBe(true)
    expect(await answerFile(sandbox, 'b')).toMatchObject({ status: 'declined', answeredBy: 'bo' })
    await expect(answerFile(sandbox, 'c')).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await registry.cancel('s')).toBe(true)
    expect(await answerFile(sandbox, 'c')).toMatchObject({ status: 'declined' })
    expect(await registry.hasPending('s')).toBe(false)
  })

  it('follows the policy, and refuses options that do not exist', async () => {
    const sandbox = await tempSandbox()
    await ask(sandbox, 'a', undefined, { runId: 's' })
    const registry = createAnswerRegistry({
      sandbox,
      signingKeys: null,
      policy: [{ roles: ['admin'] }] as never,
    })
    expect(await refusalOf(registry.respond('s', 'Python', { answeredBy: 'bo' }))).toMatchObject({
      code: 'NOT_ALLOWED',
    })
    expect(await registry.respond('s', 'Python', { answeredBy: 'ada', roles: ['admin'] })).toBe(true)
    expect(() => createAnswerRegistry({ sandbox, links: true } as never)).toThrow(/links/)
  })
})
