import { AskError, type ChannelWarning } from '@sandagent/core'
import { describe, expect, it } from 'vitest'
import { MAX_MESSAGE_BYTES, postHandler, readJson } from '../../src/lib/http.ts'

function start(
  handle: (body: unknown, request: Request) => Promise<void> = async () => {},
  admit?: (request: Request) => Promise<void>,
) {
  const warnings: ChannelWarning[] = []
  const handled: unknown[] = []
  const handler = postHandler(
    async (request) => {
      await admit?.(request)
      const body = await readJson(request)
      handled.push(body)
      await handle(body, request)
    },
    (warning) => warnings.push(warning),
  )
  const post = async (
    body: string | Uint8Array<ArrayBuffer> | null,
    type: string | null = 'application/json',
    method = 'POST',
  ) => {
    const headers = new Headers(type === null ? {} : { 'content-type': type })
    const request = new Request('https://tool.example/', { method, headers, body })
    if (type === null) request.headers.delete('content-type')
    const response = await handler(request)
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === '' ? null : JSON.parse(text) }
  }
  return { post, handled, warnings }
}

describe('a handler of messages', () => {
  it('hands the JSON and its request on', async () => {
    const urls: string[] = []
    const { post, handled } = start(async (_, { url }) => void urls.push(url))
    expect(await post('{"a":"ä"}')).toMatchObject({ status: 200, json: { ok: true } })
    expect([handled, urls]).toEqual([[{ a: 'ä' }], ['https://tool.example/']])
  })

  it.each(['GET', 'PUT', 'DELETE'])('takes no %s', async (method) => {
    const { post, handled } = start()
    const { status, headers } = await post(null, null, method)
    expect([status, headers.get('allow'), handled]).toEqual([405, 'POST', []])
  })

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json ;a=b',
  ])('takes the media type %s', async (type) => {
    expect((await start().post('1', type)).status).toBe(200)
  })

  it.each([
    null,
    'text/plain',
    'application/json-patch+json',
    'x-application/json',
    'text/plain; application/json',
  ])('takes no media type %s', async (type) => {
    const { post, handled, warnings } = start()
    const { status, json } = await post('1', type)
    expect([status, handled, warnings]).toEqual([415, [], []])
    expect(json).toMatchObject({
      ok: false,
      error: {
        code: 'UNSUPPORTED_MEDIA_TYPE',
        message: expect.stringContaining('content-type: application/json'),
      },
    })
  })

  it('takes half a mebibyte, and not one byte more', async () => {
    const { post, handled } = start()
    const longest = JSON.stringify('a'.repeat(512 * 1024 - 2))
    expect((await post(longest)).status).toBe(200)
    expect(handled).toHaveLength(1)
    const { status, json } = await post(`${longest} `)
    expect([status, json.error.code, handled.length]).toEqual([413, 'TOO_LARGE', 1])
    expect(json.error.message).toContain(String(MAX_MESSAGE_BYTES))
  })

  it('puts the pieces of a body together before it reads them', async () => {
    const bytes = new TextEncoder().encode('["ä"]')
    const body = new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    const handled: unknown[] = []
    const handler = postHandler(
      async (request) => void handled.push(await readJson(request)),
      () => {},
    )
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' }
    await handler(new Request('https://tool.example/', init as RequestInit))
    expect(handled).toEqual([['ä']])
  })

  it.each([
    ['no body', null],
    ['broken JSON', '{"a":'],
    ['broken UTF-8', Uint8Array.of(0x22, 0xff, 0x22)],
  ])('takes no message with %s', async (_, body) => {
    const { post, handled } = start()
    const { status, json } = await post(body)
    expect([status, json.error.code, handled]).toEqual([400, 'INVALID_REQUEST', []])
    expect(json.error.message).toContain('JSON in UTF-8')
  })

  it('admits a sender before it reads the message', async () => {
    const seen: string[] = []
    const { post, handled, warnings } = start(undefined, async ({ method }) => {
      seen.push(method)
      throw new AskError('FORBIDDEN', 'You have no access')
    })
    expect(await post('not JSON')).toMatchObject({
      status: 403,
      json: { ok: false, error: { code: 'FORBIDDEN', message: 'You have no access' } },
    })
    expect([seen, handled, warnings]).toEqual([['POST'], [], []])
  })

  it.each([
    ['an error', new Error('secret'), 'secret'],
    ['a text', 'secret', 'secret'],
    ['an error whose code has no status', new AskError('INVALID_FILE', 'secret'), 'secret'],
  ])('responds to %s with 500, and tells only the operator why', async (_, thrown, message) => {
    const { post, warnings } = start(async () => {
      throw thrown
    })
    expect(await post('1')).toMatchObject({ status: 500, json: { ok: false, error: { code: 'INTERNAL' } } })
    expect(warnings).toEqual([{ code: 'INTERNAL', message }])
    expect(JSON.stringify(await post('1'))).not.toContain('secret')
  })
})
