import { createECDH } from 'node:crypto'
import { AskError } from '@sandagent/core'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createWebPush, type WebPushOptions } from '@sandagent/notices/web-push'
import { createSigningKey, parseSigningKeys } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { documented, expectDescribed } from '../support/openapi.ts'

const SUBSCRIPTION = {
  endpoint: 'https://push.example/1',
  expirationTime: null,
  keys: {
    p256dh: createECDH('prime256v1').generateKeys().toString('base64url'),
    auth: Buffer.alloc(16).toString('base64url'),
  },
  showText: true,
}

/** What the handler replied in all tests, as `/push/key GET 200`. */
const reached = new Set<string>()

/** The routes by which browsers subscribe. Each call resolves to the status of the reply. */
async function api(options: Partial<WebPushOptions> = {}) {
  const { handler } = await createWebPush({
    folder: await tempDir(),
    origin: 'https://inbox.example',
    signingKeys: await parseSigningKeys(await createSigningKey()),
    personIn: async () => 'Ada',
    onError: () => {},
    ...options,
  })
  return async (name: string, body?: string, type = 'application/json'): Promise<number> => {
    const init = body === undefined ? {} : { method: 'POST', body, headers: { 'content-type': type } }
    const request = new Request(`https://inbox.example/api/push/${name}`, init)
    const response = await handler(request)
    reached.add(`/push/${name} ${request.method} ${response.status}`)
    await expectDescribed(request.method === 'GET' ? 'get' : 'post', response, `/push/${name}`)
    return response.status
  }
}

describe('the described routes of notices', () => {
  it('give the key, and take and forget browsers', async () => {
    const call = await api()
    expect(await call('key')).toBe(200)
    expect(await call('subscribe', JSON.stringify(SUBSCRIPTION))).toBe(200)
    expect(await call('unsubscribe', JSON.stringify({ endpoint: SUBSCRIPTION.endpoint }))).toBe(200)
  })

  it('are there with a slash behind them, and the key for HEAD', async () => {
    const { handler } = await createWebPush({
      folder: await tempDir(),
      origin: 'https://inbox.example',
      signingKeys: await parseSigningKeys(await createSigningKey()),
      personIn: async () => 'Ada',
    })
    const statusOf = async (name: string, method: string): Promise<unknown[]> => {
      const request = new Request(`https://inbox.example/api/push/${name}`, { method })
      const { status, headers } = await handler(request)
      return [status, headers.get('allow')]
    }
    expect(await statusOf('key/', 'GET')).toEqual([200, null])
    expect(await statusOf('key', 'HEAD')).toEqual([200, null])
    expect(await statusOf('key', 'POST')).toEqual([405, 'GET, HEAD'])
    expect(await statusOf('subscribe/', 'GET')).toEqual([405, 'POST'])
  })

  it('refuse what is no subscription', async () => {
    const call = await api()
    for (const name of ['subscribe', 'unsubscribe']) {
      expect(await call(name, '{}')).toBe(400)
      expect(await call(name, '{}', 'text/plain')).toBe(415)
      expect(await call(name, JSON.stringify('x'.repeat(300_000)))).toBe(413)
    }
  })

  it('refuse callers who are not signed in, and tell of failures', async () => {
    const failing = (error: Error) => api({ personIn: () => Promise.reject(error) })
    const signedOut = await failing(new AskError('UNAUTHENTICATED', 'Sign in'))
    const broken = await failing(new Error('secret'))
    for (const [name, body] of [['key'], ['subscribe', '{}'], ['unsubscribe', '{}']] as const) {
      expect(await signedOut(name, body)).toBe(401)
      expect(await broken(name, body)).toBe(500)
    }
  })

  it('have no status that the tests above did not see', () => {
    const all = ['key', 'subscribe', 'unsubscribe'].flatMap((name) =>
      documented(`/push/${name}`).map((status) => `/push/${name} ${status}`),
    )
    expect([...reached].sort()).toEqual(all.sort())
  })
})
