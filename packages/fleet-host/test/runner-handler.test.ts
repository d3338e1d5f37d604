import type { Clock } from '@sandagent/core'
import { systemClock } from '@sandagent/core/internal'
import { createHostChannel } from '@sandagent/core/store'
import { tcpProxy } from '@sandagent/fixtures/servers/tcp-proxy.ts'
import { createHttpRunnerChannel } from '@sandagent/fleet'
import { answerFileFor, createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createRunnerToken } from '../src/runner-token.ts'
import { type HttpRunners, serveRunners } from './support/http-runners.ts'

const HOUR_MS = 3_600_000

async function serving(): Promise<HttpRunners> {
  const runners = await serveRunners()
  onTestFinished(() => runners.close())
  return runners
}

const at = (ms: number): Clock => ({ ...systemClock, now: () => Date.now() + ms })

describe('a runner over HTTP', () => {
  it('is refused without a token, with one of another key, and with an expired one', async () => {
    const { url, signingKeys } = await serving()
    const other = await serving()
    const access = { namespace: 'one', runId: 'run-1', continues: [] }
    const expired = await createRunnerToken(access, { signingKeys, clock: at(-25 * HOUR_MS) })
    for (const token of ['no-token', await other.token(), expired]) {
      const channel = createHttpRunnerChannel({ url, token })
      await expect(channel.open(openRecord('t1'))).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        message: `The host at ${url} refused this: This token of a runner does not count, or has expired. Start the run again`,
      })
    }
    for (const authorization of ['', 'Bearer ', 'Bearer  ', 'Bearer'])
      expect((await fetch(`${url}/questions`, { method: 'POST', headers: { authorization } })).status).toBe(
        401,
      )
    expect(() => createHttpRunnerChannel({ url, token: '' })).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST' }),
    )
  })

  it('says the status where a proxy refuses a request in words of its own', async () => {
    const proxy = async () => new Response('<h1>Too large</h1>', { status: 413 })
    const channel = createHttpRunnerChannel({ url: 'http://proxy', token: 'x', fetch: proxy })
    await expect(channel.open(openRecord('t1'))).rejects.toMatchObject({
      code: 'TOO_LARGE',
      message: 'The host at http://proxy refused this: it replied with status 413',
    })
  })

  it('cannot ask in the name of another run', async () => {
    const { url, token } = await serving()
    const channel = createHttpRunnerChannel({ url, token: await token() })
    const record = openRecord('t1', { runId: 'run-2' })
    await expect(channel.open(record)).rejects.toMatchObject({ code: 'FORBIDDEN' })
  })

  it('neither reads nor replaces the question of another run in its namespace', async () => {
    const { url, token, fleet } = await serving()
    const other = createHttpRunnerChannel({ url, token: await token({ runId: 'run-2' }) })
    await other.open(openRecord('t2', { runId: 'run-2' }))
    const channel = createHttpRunnerChannel({ url, token: await token() })
    expect(await channel.read('t2')).toBeNull()
    await expect(channel.open(openRecord('t2'))).rejects.toMatchObject({ code: 'FORBIDDEN' })
    const [stored] = await fleet.questions('one').read(['t2'])
    const record = JSON.stringify(openRecord('t2'))
    const put = await fetch(`${url}/records`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${await token()}`,
        'content-type': 'application/json',
        'if-match': JSON.stringify(stored?.record?.version),
      },
      body: record,
    })
    expect(put.status).toBe(403)
    expect((await fleet.questions('one').read(['t2']))[0]?.record).toEqual(stored?.record)
  })

  it('does not see a record that nobody can read', async () => {
    const { url, token, fleet } = await serving()
    const facts = { runId: 'run-1', askedAt: '2026-01-01T00:00:00.000Z', isSettled: false }
    await fleet.questions('one').writeRecord('t3', 'no record', { expected: null, facts })
    expect(await createHttpRunnerChannel({ url, token: await token() }).read('t3')).toBeNull()
  })

  it('does not see the questions of another namespace', async () => {
    const { url, token } = await serving()
    const other = createHttpRunnerChannel({ url, token: await token({ namespace: 'two' }) })
    await other.open(openRecord('t1', { nonce: 'of two' }))
    const channel = createHttpRunnerChannel({ url, token: await token() })
    expect((await channel.open(openRecord('t1'))).nonce).toBe('nonce of t1')
  })

  it('cannot store an answer', async () => {
    const { url, token } = await serving()
    const headers = { authorization: `Bearer ${await token()}`, 'content-type': 'application/json' }
    const body = JSON.stringify(answerFileFor('t1', { status: 'completed' }))
    for (const path of ['answers', 'questions/t1/answer', 'records'])
      for (const method of ['PUT', 'POST']) {
        const reply = await fetch(`${url}/${path}`, {
          method,
          headers: { ...headers, 'if-none-match': '*' },
          body,
        })
        expect([400, 404]).toContain(reply.status)
      }
  })

  it('gets a new token when its own has passed half of its life', async () => {
    const { url, signingKeys, fleet } = await serving()
    const access = { namespace: 'one', runId: 'run-1', continues: [] }
    const token = await createRunnerToken(access, { signingKeys, clock: at(-13 * HOUR_MS) })
    const shown: string[] = []
    const channel = createHttpRunnerChannel({
      url,
      token,
      fetch: (input, init) => {
        shown.push(new Headers(init?.headers).get('authorization') ?? '')
        return fetch(input, init)
      },
    })
    await channel.open(openRecord('t1'))
    await createHostChannel(fleet.questions('one')).write(answerFileFor('t1'), { expectedRevision: 0 })
    await channel.read('t1')
    expect(shown[0]).toBe(`Bearer ${token}`)
    expect(shown.at(-1)).not.toBe(`Bearer ${token}`)
  })

  it('goes on when the host was away for a while', async () => {
    const { url, token, fleet } = await serving()
    const proxy = await tcpProxy(() => Number(new URL(url).port), onTestFinished)
    const there = new URL(url)
    there.port = `${proxy.port}`
    const channel = createHttpRunnerChannel({ url: there.href, token: await token() })
    await channel.open(openRecord('t1'))
    const answers = channel.subscribe('t1')
    const answer = answers.next()
    proxy.shut()
    await createHostChannel(fleet.questions('one')).write(answerFileFor('t1', { status: 'completed' }), {
      expectedRevision: 0,
    })
    proxy.open()
    expect(await answer).toMatchObject({ status: 'completed' })
    answers.close()
  })
})

describe('a runner that waits for days', () => {
  it('asks for a new token in time', async () => {
    const { url, signingKeys } = await serving()
    const access = { namespace: 'one', runId: 'run-1' }
    const token = await createRunnerToken(access, { signingKeys, clock: at(-13 * HOUR_MS) })
    const shown: string[] = []
    const clock = createFakeClock()
    createHttpRunnerChannel({
      url,
      token,
      clock,
      fetch: (input, init) => {
        shown.push(new Headers(init?.headers).get('authorization') ?? '')
        return fetch(input, init)
      },
    })
    clock.advance(HOUR_MS)
    await vi.waitFor(() => expect(shown).toEqual([`Bearer ${token}`]))
    await vi.waitFor(() => {
      clock.advance(HOUR_MS)
      expect(shown.at(-1)).not.toBe(`Bearer ${token}`)
    })
  })
})
