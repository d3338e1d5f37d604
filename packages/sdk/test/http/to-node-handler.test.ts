import { Agent, request as httpRequest } from 'node:http'
import express, { type RequestHandler } from 'express'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createAnswerHandler, type LocalSandbox, toNodeHandler } from '../../src/index.ts'
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

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers 405 for %s', async (method) => {
    const url = await serve(handlerOf(await tempSandbox()))
    const response = await fetch(url, { method })
    expect(response.status).toBe(405)
    expect(response.headers.get('allow')).toBe('GET, POST')
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
})
