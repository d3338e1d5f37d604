import { appendFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AskError } from '@sandagent/core'
import { describe, expect, it, vi } from 'vitest'
import { createInboxHandler, type InboxHandlerOptions } from '../src/index.ts'
import { jsonOf } from './support/json-of.ts'
import { noted, started } from './support/runs.ts'
import { answerFile, ask, settle, tempSandbox } from './support/temp-sandbox.ts'

const ORIGIN = 'http://localhost/api/inbox'
const askedAt = (second: number) => ({ askedAt: `2025-01-30T12:00:0${second}.000Z` })

/** The inbox of two sandboxes, as callers of its routes see it. */
async function serving(options: Partial<InboxHandlerOptions> = {}) {
  const [one, two] = [await tempSandbox(), await tempSandbox()]
  const onError = vi.fn()
  const handle = createInboxHandler({
    sandboxes: [
      { id: 'one', name: 'The first', sandbox: one },
      { id: 'two', name: 'The second', sandbox: two },
    ],
    authorize: () => true,
    signingKeys: null,
    patienceMs: 60_000,
    onWarning: () => {},
    onError,
    ...options,
  })
  const get = (route: string, init: RequestInit = {}): Promise<Response> =>
    handle(new Request(`${ORIGIN}/${route}`, init))
  const json = async (route: string) => jsonOf(await get(route))
  const refused = async (route: string, init?: RequestInit) => {
    const response = await get(route, init)
    return [response.status, (await jsonOf(response)).error.code]
  }
  return { one, two, get, json, refused, onError }
}

const idsIn = ({ questions }: { questions: { question: { toolCallId: string } }[] }): string[] =>
  questions.map(({ question }) => question.toolCallId)

describe('an inbox over HTTP', () => {
  it('lists what waits and what has ended, on pages, and is never stored', async () => {
    const { one, two, get, json } = await serving()
    await ask(one, 'a', undefined, askedAt(1))
    await ask(two, 'b', undefined, askedAt(2))
    await ask(one, 'c', undefined, askedAt(3))
    await ask(two, 'old', undefined, askedAt(0))
    await settle(two, 'old', { state: 'timed-out' })
    expect(idsIn(await json('questions'))).toEqual(['a', 'b', 'c'])
    const first = await json('questions?limit=2')
    expect(idsIn(first)).toEqual(['a', 'b'])
    expect(idsIn(await json(`questions?limit=2&cursor=${first.nextCursor}`))).toEqual(['c'])
    expect(idsIn(await json('history'))).toEqual(['old'])
    for (const route of ['questions', 'history', 'runs', 'question?sandbox=one&toolCallId=a']) {
      const { headers, status } = await get(route)
      expect([route, status, headers.get('cache-control')]).toEqual([route, 200, 'no-store'])
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it.each(['limit=0', 'limit=1001', 'limit=x', 'limit=-1', 'limit=', 'cursor=x', 'limit=1e2'])(
    'refuses the page %s',
    async (page) => {
      const { refused } = await serving()
      for (const list of ['questions', 'history'])
        expect(await refused(`${list}?${page}`)).toEqual([400, 'INVALID_REQUEST'])
    },
  )

  it('takes the largest page', async () => {
    const { get } = await serving()
    expect((await get('questions?limit=1000')).status).toBe(200)
  })

  it('shows a question with its run, and what the run did before', async () => {
    const { one, json } = await serving()
    const { runId } = await started(one, { agent: 'finishes' })
    await noted(one, runId)
    await ask(one, 'a', undefined, { runId })
    await ask(one, 'alone', undefined, { runId: 'unknown' })
    expect(await json('question?sandbox=one&toolCallId=a')).toMatchObject({
      sandboxId: 'one',
      question: { toolCallId: 'a' },
      run: { runId, agent: 'finishes' },
    })
    const alone = await json('question?sandbox=one&toolCallId=alone')
    expect(alone).toMatchObject({ question: { toolCallId: 'alone' } })
    expect(alone).not.toHaveProperty('run')
    const run = await json(`run?sandbox=one&runId=${runId}`)
    expect(run).toMatchObject({ sandboxId: 'one', run: { runId, state: 'finished' } })
    expect(await json('runs')).toMatchObject({
      runs: [{ sandboxId: 'one', run: { runId } }],
      unreachable: [],
    })
  })

  it('streams the log of a run, from an event on', async () => {
    const { one, get } = await serving()
    const { runId } = await started(one, { agent: 'finishes' })
    await noted(one, runId)
    const response = await get(`log?sandbox=one&runId=${runId}`)
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const whole = await response.text()
    expect(whole).toContain('"finish"')
    const [, id] = /^id: (.*)$/m.exec(whole) ?? []
    expect(id).toBeDefined()
    const rest = await get(`log?sandbox=one&runId=${runId}`, { headers: { 'last-event-id': `${id}` } })
    const text = await rest.text()
    expect([text.length < whole.length, text.includes('"finish"')]).toEqual([true, true])
  })

  it('takes an answer for the sandbox that the query names', async () => {
    const { one, two, get } = await serving()
    for (const sandbox of [one, two]) await ask(sandbox, 'a')
    const response = await get('answer?sandbox=two', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ toolCallId: 'a', answers: { 'Which language?': 'Python' } }),
    })
    expect(response.status).toBe(200)
    expect(JSON.stringify(await answerFile(two, 'a'))).toContain('Python')
    await expect(answerFile(one, 'a')).rejects.toMatchObject({ code: 'ENOENT' })
    expect((await get('answer?sandbox=one')).status).toBe(200)
  })

  it.each<[string, number, string]>([
    ['nothing', 404, 'NOT_FOUND'],
    ['toString', 404, 'NOT_FOUND'],
    ['question', 400, 'INVALID_REQUEST'],
    ['question?sandbox=one', 400, 'INVALID_REQUEST'],
    ['question?sandbox=&toolCallId=a', 400, 'INVALID_REQUEST'],
    ['question?sandbox=three&toolCallId=a', 404, 'NOT_FOUND'],
    ['question?sandbox=one&toolCallId=a', 404, 'NOT_FOUND'],
    ['run?sandbox=one', 400, 'INVALID_REQUEST'],
    ['run?sandbox=one&runId=r', 404, 'NOT_FOUND'],
    ['log?sandbox=one', 400, 'INVALID_REQUEST'],
    ['log?sandbox=one&runId=r', 404, 'NOT_FOUND'],
  ])('refuses %s', async (route, status, code) => {
    const { refused } = await serving()
    expect(await refused(route)).toEqual([status, code])
  })

  it.each(['questions', 'history', 'question', 'runs', 'run', 'log'])(
    '%s can only be read',
    async (route) => {
      const { get } = await serving()
      const response = await get(route, { method: 'DELETE' })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    },
  )

  it.each(['questions', 'history', 'question', 'runs', 'run', 'log', 'answer'])(
    'replies to %s with a slash behind it, and to HEAD without a body',
    async (route) => {
      const { one, get } = await serving()
      await ask(one, 'a')
      const query = '?sandbox=one&toolCallId=a&runId=r'
      const whole = await get(`${route}${query}`)
      for (const response of [
        await get(`${route}/${query}`),
        await get(`${route}${query}`, { method: 'HEAD' }),
      ]) {
        expect(response.status).toBe(whole.status)
        expect([...response.headers]).toEqual([...whole.headers])
      }
      if (whole.ok) expect((await get(`${route}${query}`, { method: 'HEAD' })).body).toBeNull()
    },
  )

  it('shows a run that has printed a call with a hostile id', async () => {
    const { one, json } = await serving()
    const { runId } = await started(one, { agent: 'finishes' })
    await noted(one, runId)
    await ask(one, 'a', undefined, { runId })
    const log = join(one.workdir, '.sandagent/runs', runId, '1/stream.sse')
    const chunk = { type: 'tool-input-available', toolCallId: { toString: 1 }, toolName: 'Bash', input: {} }
    await appendFile(log, `data: ${JSON.stringify(chunk)}\n\n`)
    for (const route of ['question?sandbox=one&toolCallId=a&', 'run?sandbox=one&'])
      expect(await json(`${route}runId=${runId}`)).toMatchObject({ run: { runId }, messages: [] })
  })

  it('ends a stream that HEAD has asked for', async () => {
    const { get } = await serving()
    const accept = { accept: 'text/event-stream' }
    const response = await get('questions/', { method: 'HEAD', headers: accept })
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/)
    expect(response.body).toBeNull()
  })

  it('names a sandbox that cannot be read', async () => {
    const { one, two, json } = await serving()
    await ask(one, 'a')
    await ask(two, 'b')
    const folder = join(two.workdir, '.sandagent/questions')
    await rename(folder, `${folder}.moved`)
    await writeFile(folder, 'This is no folder')
    const list = await json('questions')
    expect(idsIn(list)).toEqual(['a'])
    expect(list.unreachable).toMatchObject([{ sandboxId: 'two' }])
  })
})

describe('callers of an inbox', () => {
  it('see the sandboxes and questions that authorize lets them see', async () => {
    const authorize: InboxHandlerOptions['authorize'] = (_, { sandboxId, toolCallId, record }) => {
      if (sandboxId === 'two') throw new AskError('FORBIDDEN', 'Not yours')
      return toolCallId === undefined || (toolCallId !== 'hidden' && record !== undefined)
    }
    const { one, two, json, refused } = await serving({ authorize })
    for (const toolCallId of ['a', 'hidden']) await ask(one, toolCallId)
    await ask(two, 'b')
    const { runId } = await started(two, { agent: 'finishes' })
    await noted(two, runId)
    expect(idsIn(await json('questions'))).toEqual(['a'])
    expect(await json('runs')).toEqual({ runs: [], unreachable: [] })
    expect(await refused('question?sandbox=one&toolCallId=hidden')).toEqual([403, 'FORBIDDEN'])
    expect((await refused(`run?sandbox=two&runId=${runId}`))[0]).toBe(404)
    expect((await refused(`log?sandbox=two&runId=${runId}`))[0]).toBe(404)
  })

  it('learn that authorize failed, and the host learns why', async () => {
    const failure = new Error('no database')
    const { one, refused, onError } = await serving({
      authorize: (_, { toolCallId }) => {
        if (toolCallId) throw failure
        return true
      },
    })
    await ask(one, 'a')
    for (const route of ['questions', 'question?sandbox=one&toolCallId=a'])
      expect((await refused(route))[0]).toBe(500)
    expect(onError.mock.calls.map(([error]) => error)).toEqual([failure, failure])
  })

  it('of other sites and hosts are refused', async () => {
    const { refused } = await serving()
    expect((await refused('questions', { headers: { origin: 'https://evil.example' } }))[0]).toBe(403)
  })

  it('without a link see nothing where links alone open it', async () => {
    const { one, get } = await serving({
      authorize: undefined,
      links: { page: 'https://host.example/answer' },
    })
    await ask(one, 'a')
    const response = await get('questions')
    expect(response.status === 200 ? idsIn(await jsonOf(response)) : []).toEqual([])
  })

  it('get the list as a stream, then each change', async () => {
    const { one, get } = await serving()
    await ask(one, 'a')
    const stop = new AbortController()
    const response = await get('questions', {
      headers: { accept: 'text/event-stream' },
      signal: stop.signal,
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    let text = ''
    const until = async (part: string): Promise<void> => {
      while (!text.includes(part)) {
        const { done, value } = await reader.read()
        if (done) throw new Error(`It ended before ${part}: ${text}`)
        text += new TextDecoder().decode(value)
      }
    }
    await until('event: list\n')
    await until('"toolCallId":"a"')
    await ask(one, 'b')
    await until('"toolCallId":"b"')
    await reader.cancel()
  })
})
