import { once } from 'node:events'
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import express, { type RequestHandler } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  createAnswerHandler,
  type LocalSandbox,
  readJsonBody,
  toNodeHandler,
  type WebHandler,
} from '../../src/index.ts'
import { post, serve } from '../support/serve.ts'
import { answerFile, ask, tempSandbox } from '../support/temp-sandbox.ts'

const python = { toolCallId: 'toolu_1', answers: { 'Which language?': 'Python' } }

async function askingSandbox(): Promise<LocalSandbox> {
  const sandbox = await tempSandbox()
  await ask(sandbox, 'toolu_1')
  return sandbox
}

const handlerOf = (sandbox: LocalSandbox) => toNodeHandler(createAnswerHandler({ sandbox }))

describe('toNodeHandler', () => {
  it.each<[string, RequestHandler[]]>([
    ['alone', []],
    ['behind express.json()', [express.json()]],
    ['behind a parser of everything', [express.json(), express.urlencoded(), express.text({ type: '*/*' })]],
  ])('serves an Express app %s', async (_, middleware) => {
    const sandbox = await askingSandbox()
    const app = express().use(...middleware, express.Router())
    app.all('/api/answer', handlerOf(sandbox))
    const url = await serve(app)

    const shown = await fetch(`${url}?toolCallId=toolu_1`)
    expect(await shown.json()).toMatchObject({ toolCallId: 'toolu_1', state: 'open' })
    expect((await post(url, { toolCallId: 'toolu_1', answers: { unknown: 'x' } })).status).toBe(400)
    expect(await (await post(url, python)).json()).toEqual({
      success: true,
      status: 'completed',
      revision: 1,
    })
    expect(await answerFile(sandbox, 'toolu_1')).toMatchObject({ answers: python.answers })
    const form = await fetch(url, { method: 'POST', body: new URLSearchParams({ toolCallId: 'toolu_1' }) })
    expect(form.status).toBe(415)
  })

  it('serves an Express app below a path of its own', async () => {
    const sandbox = await askingSandbox()
    const url = await serve(express().use('/api/answer', handlerOf(sandbox)))
    expect((await fetch(`${url}?toolCallId=toolu_1`)).status).toBe(200)
    expect((await post(url, python)).status).toBe(200)
  })

  it('serves every method with a function, with the body that a parser has read', async () => {
    const echo = async (request: Request) =>
      Response.json({ method: request.method, body: request.body && (await request.json()) })
    const app = express().use(express.json(), (request, _response, next) => {
      // As Express 4 leaves it where there was none.
      request.body ??= {}
      next()
    })
    const url = await serve(app.use(toNodeHandler(echo)))
    const send = async (method: string) => {
      const more =
        method === 'GET' ? {} : { body: '{"a":1}', headers: { 'content-type': 'application/json' } }
      return (await fetch(url, { method, ...more })).json()
    }
    expect(await send('GET')).toEqual({ method: 'GET', body: null })
    for (const method of ['POST', 'DELETE', 'PUT'])
      expect(await send(method)).toEqual({ method, body: { a: 1 } })
  })

  it.each<[string, WebHandler]>([
    ['by nobody else', async (request) => Response.json(await readJsonBody(request))],
    [
      'by a copy before',
      async (request) => {
        await request.clone().json()
        return Response.json(await readJsonBody(request))
      },
    ],
    [
      'by a copy at the same time',
      async (request) => {
        const copy = request.clone()
        const [own, other] = await Promise.all([readJsonBody(request), copy.json()])
        return Response.json(JSON.stringify(own) === JSON.stringify(other) ? own : 'they differ')
      },
    ],
    [
      'by a request that took it over',
      async (request) => Response.json(await readJsonBody(new Request(request))),
    ],
  ])('gives a body of several pieces as a whole where it is read %s', async (_, handler) => {
    const url = await serve(toNodeHandler(handler))
    const sent = { text: 'x'.repeat(200_000) }
    for (let n = 0; n < 3; n++) expect(await (await post(url, sent)).json()).toEqual(sent)
  })

  it('sends a reply of its own in one piece, with its length, and to HEAD none of it', async () => {
    const url = `${await serve(handlerOf(await askingSandbox()))}?toolCallId=toolu_1`
    const shown = await fetch(url)
    expect(shown.headers.get('content-length')).toBe(String((await shown.arrayBuffer()).byteLength))
    expect(shown.headers.get('content-type')).toBe('application/json')
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })

  it('answers 400 for a body that is nested too deeply to be written again, behind express.json()', async () => {
    const url = await serve(express().use(express.json(), handlerOf(await tempSandbox())))
    const headers = { 'content-type': 'application/json' }
    const body = `{"toolCallId":${'['.repeat(40_000)}${']'.repeat(40_000)}}`
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(400)
  })

  it.each([
    ['refused by its type', 'text/plain', 100_000],
    ['too large', 'application/json', 400_000],
    ['no JSON', 'application/json', 100_000],
  ])('serves the next request on the same connection after a body that is %s', async (_, type, size) => {
    const url = await serve(handlerOf(await askingSandbox()))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    onTestFinished(() => agent.destroy())
    const send = (method: string, headers: Record<string, string>, body?: string) =>
      new Promise<{ status: number | undefined; port: number | undefined }>((resolve, reject) => {
        const request = httpRequest(`${url}?toolCallId=toolu_1`, { method, headers, agent }, (response) => {
          const port = request.socket?.localPort
          response.resume().once('end', () => resolve({ status: response.statusCode, port }))
        })
        request.once('error', reject).end(body)
      })
    const refused = await send('POST', { 'content-type': type }, 'x'.repeat(size))
    expect(refused.status).toBeGreaterThanOrEqual(400)
    expect(await send('GET', {})).toEqual({ status: 200, port: refused.port })
  })

  it('gives all functions of the host the same web request, which tells when its client has gone away', async () => {
    const sandbox = await askingSandbox()
    const seen: Request[] = []
    const note = (request: Request): Request => {
      seen.push(request)
      return request
    }
    const handler = createAnswerHandler({
      sandbox: (request) => note(request) && sandbox,
      authorize: (request) => note(request).headers.get('x-name') === 'Ada' && { answeredBy: 'Ada' },
      peerAddress: () => undefined,
    })
    const url = await serve(toNodeHandler(handler))
    const headers = { 'x-name': 'Ada', accept: 'text/event-stream' }
    expect((await post(url, python, { 'x-name': 'Bob' })).status).toBe(403)
    expect((await post(`${url}?a=%C3%A9`, python, { 'x-name': 'Ada' })).status).toBe(200)
    expect(new Set(seen).size).toBe(2)
    const [first, last] = [seen[0], seen.at(-1)]
    expect(first).toBeInstanceOf(Request)
    expect([last?.method, last?.url]).toEqual(['POST', `${url}?a=%C3%A9`])
    expect(last?.headers.get('content-type')).toBe('application/json')
    expect(last?.signal.aborted).toBe(false)

    const stop = new AbortController()
    const stream = await fetch(`${url}?toolCallId=toolu_1`, { headers, signal: stop.signal })
    expect(stream.status).toBe(200)
    const followed = seen.at(-1)
    expect(followed?.signal.aborted).toBe(false)
    stop.abort()
    await vi.waitFor(() => expect(followed?.signal.aborted).toBe(true))
  })

  it.each(['/a//b', '/a/../b', '/a?b=c d', '/a%2e%2e/b', '/a.b', "/a?b='c'", '//a', '/%zz'])(
    'names a request to %s as a web server does',
    async (path) => {
      const urls: string[] = []
      const note = (request: Request) => urls.push(request.url) > 0
      const handler = createAnswerHandler({ sandbox: await tempSandbox(), authorize: note })
      const ofFunction = await serve(toNodeHandler(async ({ url }) => Response.json(urls.push(url))))
      const ofHandler = await serve(toNodeHandler(handler))
      for (const url of [ofFunction, ofHandler]) {
        const { port } = new URL(url)
        const sent = httpRequest({
          port,
          path: `${path}${path.includes('?') ? '&' : '?'}toolCallId=t`.replace(' ', '%20'),
        })
        const [response] = await once(sent.end(), 'response')
        response.resume()
        await once(response, 'end')
        urls[urls.length - 1] = `${urls.at(-1)}`.replace(port, 'PORT')
      }
      expect(urls[1]).toBe(urls[0])
    },
  )

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 405 for %s', async (method) => {
    const url = await serve(handlerOf(await tempSandbox()))
    const response = await fetch(url, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
  })

  it.each(['with its length', 'in chunks'])(
    'answers 413 for a body that is too large, sent %s',
    async (how) => {
      const url = await serve(handlerOf(await tempSandbox()))
      const response = await new Promise<{ statusCode?: number }>((resolve, reject) => {
        const request = httpRequest(url, { method: 'POST', headers: { 'content-type': 'application/json' } })
        request.on('response', resolve).on('error', reject)
        const body = Buffer.alloc(600 * 1024, ' ')
        if (how === 'in chunks') request.write(body.subarray(0, 1000))
        request.end(body)
      })
      expect(response.statusCode).toBe(413)
    },
  )

  it('takes no failure of the host from a client that goes away in the middle of its body', async () => {
    const sandbox = await askingSandbox()
    const errors: unknown[] = []
    const handler = createAnswerHandler({ sandbox, onError: (error) => errors.push(error) })
    const statuses: number[] = []
    const postAndNote = async (request: Request): Promise<Response> => {
      const response = await handler.POST(request)
      statuses.push(response.status)
      return response
    }
    const url = await serve(toNodeHandler({ GET: handler.GET, POST: postAndNote }))
    const headers = { 'content-type': 'application/json', 'content-length': '1000' }
    const request = httpRequest(url, { method: 'POST', headers })
    request.on('error', () => {})
    await new Promise((resolve) => request.write('{"toolCallId":', resolve))
    request.destroy()
    expect((await post(url, python)).status).toBe(200)
    await vi.waitFor(() => expect(statuses).toHaveLength(2))
    expect(statuses.sort()).toEqual([200, 400])
    expect(errors).toEqual([])
  })

  describe('whatever a handler does', () => {
    const logs = () => {
      const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
      onTestFinished(() => logged.mockRestore())
      return () => logged.mock.calls.flat().join()
    }
    /** Serves a handler, and waits for what its promise comes to: a rejection would end the process. */
    const served = async (handler: WebHandler, before: RequestHandler = (_, __, next) => next()) => {
      const ends: unknown[] = []
      const app = express().use(before, (request, response) => {
        toNodeHandler(handler)(request, response).then(
          () => ends.push('resolved'),
          (error: unknown) => ends.push(error),
        )
      })
      return { url: await serve(app), ends }
    }

    it.each<[string, WebHandler]>([
      ['throws', () => Promise.reject(new Error('The disk is gone'))],
      ['replies nothing', async () => undefined as unknown as Response],
      ['replies with an error of fetch', async () => Response.error()],
      ['has a body that breaks before it begins', async () => new Response(brokenBody(0))],
    ])('tells a client of a handler that %s, and logs it', async (_, handler) => {
      const logged = logs()
      const { url, ends } = await served(handler)
      const reply = await fetch(url).then(
        (response) => response.status,
        () => 'broken',
      )
      expect([500, 'broken']).toContain(reply)
      await vi.waitFor(() => expect(ends).toEqual(['resolved']))
      expect(logged()).toMatch(/Error/)
    })

    it('breaks the response of a body that breaks, and logs it once', async () => {
      const logged = logs()
      const { url, ends } = await served(async () => new Response(brokenBody(1)))
      await expect(fetch(url).then((response) => response.text())).rejects.toThrow()
      await vi.waitFor(() => expect(ends).toEqual(['resolved']))
      expect(logged().match(/The stream broke/g)).toHaveLength(1)
    })

    it('leaves a response alone that something else has sent, and lets go of its own', async () => {
      const logged = logs()
      const cancel = vi.fn()
      const { url, ends } = await served(
        async () => new Response(new ReadableStream({ cancel })),
        (_, response, next) => {
          response.status(503).send('Too late')
          next()
        },
      )
      const response = await fetch(url)
      expect([response.status, await response.text()]).toEqual([503, 'Too late'])
      await vi.waitFor(() => expect(ends).toEqual(['resolved']))
      expect(cancel).toHaveBeenCalledOnce()
      expect(logged()).toMatch(/Something else has replied/)
    })

    it('logs nothing when a client goes away in the middle of a stream, and lets go of it', async () => {
      const logged = logs()
      const cancel = vi.fn()
      const seen: AbortSignal[] = []
      const { url, ends } = await served(async ({ signal }) => {
        seen.push(signal)
        return new Response(new ReadableStream({ start: (it) => it.enqueue(new Uint8Array(8)), cancel }))
      })
      const gone = new AbortController()
      await fetch(url, { signal: gone.signal })
      gone.abort()
      await vi.waitFor(() => expect(ends).toEqual(['resolved']))
      expect(cancel).toHaveBeenCalledOnce()
      expect([seen[0]?.aborted, logged()]).toEqual([true, ''])
    })

    it('lets go of a stream whose client has gone away before it began', async () => {
      const logged = logs()
      const cancel = vi.fn()
      const { url, ends } = await served(async ({ signal }) => {
        await once(signal, 'abort')
        return new Response(new ReadableStream({ cancel }))
      })
      const request = httpRequest(url).once('error', () => {})
      request.end()
      await vi.waitFor(() => expect(request.socket?.bytesWritten).toBeGreaterThan(0))
      request.destroy()
      await vi.waitFor(() => expect(ends).toEqual(['resolved']))
      expect([cancel.mock.calls.length, logged()]).toEqual([1, ''])
    })

    it('replies 405 to a method that no web request has', async () => {
      const { url } = await served(async () => new Response())
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        httpRequest(url, { method: 'TRACE' }, resolve).once('error', reject).end()
      })
      response.resume()
      expect([response.statusCode, response.headers.allow]).toEqual([
        405,
        expect.stringMatching(/^GET, HEAD/),
      ])
    })
  })

  it.each([
    ['a path', '/api/answer?a=1', 'localhost', 'http://localhost/api/answer?a=1'],
    [
      'a path that looks like a host',
      '//elsewhere.example/a',
      'localhost',
      'http://localhost//elsewhere.example/a',
    ],
    [
      'an address, as proxies get it',
      'http://elsewhere.example/a?b',
      'localhost:81',
      'http://localhost:81/a?b',
    ],
    ['a host that holds a path', '/a', 'localhost/b?', 403],
    ['a host that holds a user', '/a', 'user@localhost', 403],
    ['a host of IPv6', '/a', '[::1]:80', 'http://[::1]/a'],
  ])('takes the address of a request from %s', async (_, path, host, expected) => {
    const url = new URL(await serve(toNodeHandler(async (request) => new Response(request.url))))
    const shown = await new Promise<unknown>((resolve, reject) => {
      httpRequest({ host: url.hostname, port: url.port, path, headers: { host } }, async (response) => {
        const body = await text(response)
        resolve(response.statusCode === 200 ? body : response.statusCode)
      })
        .once('error', reject)
        .end()
    })
    expect(shown).toBe(expected)
  })

  it('serves HTTP/2', async () => {
    const sandbox = await askingSandbox()
    const handler = toNodeHandler(createAnswerHandler({ sandbox }))
    const server = createHttp2Server((req, res) => void handler(req as never, res as never)).listen(
      0,
      '127.0.0.1',
    )
    await once(server, 'listening')
    const session = connect(`http://localhost:${(server.address() as AddressInfo).port}`)
    onTestFinished(async () => {
      session.destroy()
      server.close()
      await once(server, 'close')
    })
    const send = async (headers: Record<string, string>, body?: unknown) => {
      const stream = session.request({ ':path': '/api/answer?toolCallId=toolu_1', ...headers })
      stream.end(body && JSON.stringify(body))
      const [head] = await once(stream, 'response')
      return [head[':status'], head['content-type'], JSON.parse((await text(stream)) || '{}')]
    }
    expect(await send({})).toEqual([200, 'application/json', expect.objectContaining({ state: 'open' })])
    expect(await send({ ':method': 'POST', 'content-type': 'application/json' }, python)).toEqual([
      200,
      'application/json',
      { success: true, status: 'completed', revision: 1 },
    ])
  })

  it('sends every cookie of a response, beside those of other programs', async () => {
    const headers = new Headers([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
    ])
    const app = express().use(
      (_, response, next) => {
        response.append('set-cookie', 'c=3')
        next()
      },
      toNodeHandler(async () => new Response(null, { headers })),
    )
    expect((await fetch(await serve(app))).headers.getSetCookie()).toEqual(['c=3', 'a=1', 'b=2'])
  })
})

/** A body that breaks after so many chunks. */
function brokenBody(chunks: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent++ < chunks) controller.enqueue(new Uint8Array(100_000))
      else controller.error(new Error('The stream broke'))
    },
  })
}
