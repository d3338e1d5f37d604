import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createFileHostChannel, createFileRunnerChannel, localFiles } from '@sandagent/files'
import { cancelQuestion, createAnswerHandler, listQuestions, submitAnswer } from '@sandagent/sdk'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type FakeClock, fakeClock } from '../support/fake-clock.ts'
import { freePort, listen } from '../support/listen.ts'
import {
  accepting,
  arrived,
  DIRECTORY_CHOICE,
  openRuntime,
  openSite,
  pick,
  post,
  questionOf,
  type Site,
  tempFolder,
} from '../support/user-choice.ts'
import {
  ask,
  callOf,
  choiceOf,
  invoke,
  isPending,
  open,
  QUESTION,
  resultOf,
} from '../support/user-choice-runtime.ts'

/** A clock that keeps what it was asked to wait for, in milliseconds. */
const pausesOf = (clock: FakeClock): FakeClock & { pauses: number[] } => {
  const pauses: number[] = []
  const after: FakeClock['after'] = (ms, callback) => {
    pauses.push(ms)
    return clock.after(ms, callback)
  }
  return { ...clock, after, pauses }
}

describe('a runtime', () => {
  it('invokes a tool with all that the tool needs to come back', async () => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server, { callId: 'second', userId: 'user_42' })
    expect(server.arrivals('/invoke')[0]?.body).toEqual({
      operation: 'write_file',
      arguments: { path: 'README.md' },
      id: 'call_abc123',
      call_id: 'second',
      callback_url: callbackUrl,
      group_id: 'thread_xyz',
      user_id: 'user_42',
    })
    expect(callbackUrl).toMatch(new RegExp(`^${agent.url}/callback\\?token=`))
  })

  it('MUST show prompt and choices to the user so that they can select', async () => {
    const { agent } = await ask()
    expect(await questionOf(agent.sandbox, 'call_abc123')).toMatchObject({
      state: 'open',
      toolName: 'write_file',
      questions: [
        {
          question: 'Allow writing to the original directory?',
          options: [{ label: 'Yes for session' }, { label: 'Yes once' }, { label: 'No' }],
          allowFreeText: false,
        },
      ],
    })
  })

  it('has the question shown before it says that it took the choice', async () => {
    const { agent } = await ask()
    expect(await listQuestions(agent.sandbox)).toHaveLength(1)
  })

  it('MUST wait for the user before the call can complete, and keep it pending until a tool_result arrives', async () => {
    const { agent, server, result, callbackUrl } = await ask()
    expect(server.arrivals('/respond')).toEqual([])
    expect(await isPending(result)).toBe(true)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await arrived(server, '/respond', 1)
    expect(await isPending(result)).toBe(true)
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await result).toEqual({ text: 'Written.' })
  })

  it.each([
    ['Yes for session', 0],
    ['Yes once', 1],
    ['No', 2],
  ])('MUST post the selection to the response URL: "%s" is %i', async (label, selected) => {
    const { agent, server } = await ask()
    await pick(agent.sandbox, 'call_abc123', label)
    const [selection] = await arrived(server, '/respond', 1)
    expect(selection).toMatchObject({
      url: `${server.url}/respond?token=t`,
      body: { id: 'call_abc123', selected },
    })
  })

  it('MUST send the default index when the user dismisses without choosing', async () => {
    const { agent, server } = await ask()
    await cancelQuestion(agent.sandbox, { toolCallId: QUESTION })
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
  })

  it('sends the default when the time runs out, also over a draft of another choice', async () => {
    const clock = fakeClock()
    const { agent, server } = await ask({ clock, timeoutMs: 60_000 })
    await submitAnswer(
      agent.sandbox,
      {
        toolCallId: QUESTION,
        status: 'pending',
        responses: { q1: { selected: ['Yes for session'], source: 'human' } },
      },
      { clock },
    )
    await vi.waitFor(() => {
      clock.advance(60_000)
      expect(server.arrivals('/respond').map(({ body }) => body)).toEqual([
        { id: 'call_abc123', selected: 2 },
      ])
    })
    const { record } = await createFileHostChannel({ files: agent.sandbox.files }).read(QUESTION)
    expect(record).toMatchObject({ state: 'timed-out', responses: {} })
  })

  it('is answered by whoever answers its questions: here the answer API', async () => {
    const { agent, server } = await ask()
    const { POST } = createAnswerHandler({ sandbox: agent.sandbox, authorize: () => true })
    const request = (answer: string) =>
      new Request('http://localhost/api/answer', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ toolCallId: QUESTION, answers: { [DIRECTORY_CHOICE.prompt]: answer } }),
      })
    expect((await POST(request('Maybe'))).status).toBe(400)
    expect((await POST(request('Yes once'))).status).toBe(200)
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 1 })
  })

  it('gives the whole result on: text, items, and what people are shown', async () => {
    const { agent, server } = await open()
    const { result, callbackUrl } = await invoke(agent, server)
    const content = [{ type: 'image', data: 'aGk=', mediaType: 'image/png' }]
    const display_as = [{ type: 'text', content: 'An image' }]
    await post(callbackUrl, resultOf({ text: undefined, content, display_as }))
    expect(await result).toEqual({ content, displayAs: display_as })
  })

  it('lets several calls wait side by side, each for its own choice', async () => {
    const { agent, server } = await open()
    const ids = ['call_1', 'call_2', 'call_3']
    const calls = []
    for (const id of ids) {
      const call = await invoke(agent, server, { id })
      await post(call.callbackUrl, choiceOf(server, { id }))
      calls.push(call)
    }
    await pick(agent.sandbox, 'call_3', 'Yes for session')
    await pick(agent.sandbox, 'call_1', 'No')
    await pick(agent.sandbox, 'call_2', 'Yes once')
    const selections = (await arrived(server, '/respond', 3)).map(({ body }) => [body.id, body.selected])
    expect(selections.sort()).toEqual([
      ['call_1', 2],
      ['call_2', 1],
      ['call_3', 0],
    ])
  })
})

describe('a runtime MUST NOT retry the invocation', () => {
  it('after the tool took it, whatever comes: a choice, a refused selection, silence', async () => {
    const clock = fakeClock()
    const { agent, server } = await ask({ clock })
    server.routes.set('/respond', async () => new Response(null, { status: 404 }))
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await vi.waitFor(() => expect(agent.warnings).toMatchObject([{ code: 'REFUSED' }]))
    clock.advance(24 * 60 * 60_000)
    expect(await isPending(agent.runtime.invoke(callOf(server)))).toBe(true)
    expect(server.arrivals('/invoke')).toHaveLength(1)
    expect(server.arrivals('/respond')).toHaveLength(1)
  })

  it.each([404, 503])(
    'and a late %i does not count once a choice has shown that it arrived',
    async (status) => {
      let refuse = (): void => {}
      const refused = new Promise<void>((resolve) => {
        refuse = resolve
      })
      const slowly: typeof fetch = async (url, init) => {
        if (!String(url).endsWith('/invoke')) return fetch(url, init)
        await fetch(url, { ...init, signal: null })
        await refused
        return new Response(null, { status })
      }
      const { agent, server } = await open({ fetch: slowly })
      const { callbackUrl, result } = await invoke(agent, server)
      expect(await post(callbackUrl, choiceOf(server))).toBe(200)
      refuse()
      await pick(agent.sandbox, 'call_abc123', 'Yes once')
      await arrived(server, '/respond', 1)
      await post(callbackUrl, resultOf())
      expect(await result).toEqual({ text: 'Written.' })
    },
  )

  it.each([500, 502, 503])('after %i: the model reads that the tool failed', async (status) => {
    const { agent, server } = await open()
    server.fail('/invoke', status)
    expect(await agent.runtime.invoke(callOf(server))).toEqual({
      text: `Error: The tool failed when it was called (HTTP ${status}). It may have taken it all the same: look before you try again.`,
    })
    await agent.runtime.invoke(callOf(server))
    expect(server.arrivals('/invoke')).toHaveLength(1)
  })

  it('after a connection that broke while the tool worked', async () => {
    const { agent } = await open()
    let calls = 0
    const origin = await listen((request) => {
      calls++
      request.socket.destroy()
    })
    expect((await agent.runtime.invoke(callOf({ url: origin } as Site))).text).toMatch(
      /did not confirm this call/,
    )
    expect(calls).toBe(1)
  })

  it('but sends it as soon as a connection can be made', async () => {
    const { agent } = await open()
    const server = createServer()
    const port = await freePort()
    const result = agent.runtime.invoke(callOf({ url: `http://127.0.0.1:${port}` } as Site))
    const callbacks: string[] = []
    server.on('request', async (request, response) => {
      callbacks.push(((await json(request)) as { callback_url: string }).callback_url)
      response.end()
    })
    server.listen(port, '127.0.0.1')
    onTestFinished(() => void server.close())
    await vi.waitFor(() => expect(callbacks).toHaveLength(1))
    await post(callbacks[0] as string, resultOf())
    expect(await result).toEqual({ text: 'Written.' })
    expect(callbacks).toHaveLength(1)
  })

  it('after a restart: a call that its tool never speaks of fails after a while', async () => {
    const [storage, clock] = [localFiles(await tempFolder()), fakeClock()]
    const server = await openSite()
    server.routes.set('/invoke', () => new Promise(() => {}))
    const first = await openRuntime({ storage, clock })
    const { result } = await invoke(first, server)
    await first.runtime.close()
    await expect(result).rejects.toMatchObject({ code: 'GONE' })
    const second = await openRuntime({ storage, clock })
    const again = second.runtime.invoke(callOf(server))
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(60_000)
    expect((await again).text).toMatch(/did not confirm this call/)
    expect(server.arrivals('/invoke')).toHaveLength(1)
  })

  it.each([400, 404, 409, 302])(
    'and not at all after %i: the model reads that the tool refused',
    async (status) => {
      const { agent, server } = await open()
      server.fail('/invoke', status)
      expect(await agent.runtime.invoke(callOf(server))).toEqual({
        text: `Error: The tool refused this call (HTTP ${status}).`,
      })
      expect(server.arrivals('/invoke')).toHaveLength(1)
    },
  )

  it('for ever: the model reads that the tool could not be reached', async () => {
    const clock = fakeClock()
    const { agent } = await open({ clock })
    const nobody = { url: `http://127.0.0.1:${await freePort()}` } as Site
    const result = agent.runtime.invoke(callOf(nobody))
    await vi.waitFor(async () => {
      clock.advance(1000)
      expect(await isPending(result)).toBe(false)
    })
    expect(await result).toEqual({ text: 'Error: The tool could not be reached.' })
  })
})

describe('a call that nobody waits for any more', () => {
  const stop = new Error('stopped')
  const abortable = () => {
    const controller = new AbortController()
    return { signal: controller.signal, abort: () => controller.abort(stop) }
  }

  it('withdraws its question, and the tool gets the default', async () => {
    const { agent, server, callbackUrl } = await ask()
    const { signal, abort } = abortable()
    const again = agent.runtime.invoke(callOf(server), { signal })
    abort()
    await expect(again).rejects.toBe(stop)
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
    expect(await listQuestions(agent.sandbox)).toEqual([])
    expect(await post(callbackUrl, resultOf({ text: 'Declined.' }))).toBe(200)
    expect(await agent.runtime.invoke(callOf(server))).toEqual({ text: 'Declined.' })
  })

  it('asks nobody when its tool wants a choice later, also after a restart', async () => {
    const [storage, workdir] = [localFiles(await tempFolder()), await tempFolder()]
    const { server } = await open()
    const first = await openRuntime({ storage }, { workdir })
    const { signal, abort } = abortable()
    const result = first.runtime.invoke(callOf(server), { signal })
    const [invocation] = await arrived(server, '/invoke', 1)
    await vi.waitFor(async () => {
      const [file] = await storage.list('runtime-calls')
      expect(await storage.read(`runtime-calls/${file}`)).toContain('"acknowledged":true')
    })
    abort()
    await expect(result).rejects.toBe(stop)
    await first.runtime.close()
    await openRuntime({ storage }, { site: first, workdir })
    expect(await post(invocation?.body.callback_url, choiceOf(server))).toBe(200)
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
    expect(await createFileHostChannel({ files: first.sandbox.files }).questions()).toEqual([])
  })

  it('withdraws its question after a crash in between', async () => {
    const [storage, workdir] = [localFiles(await tempFolder()), await tempFolder()]
    const { server } = await open()
    const first = await openRuntime({ storage }, { workdir })
    const { callbackUrl } = await invoke(first, server)
    await post(callbackUrl, choiceOf(server))
    await first.runtime.close()
    const [file] = await storage.list('runtime-calls')
    const record = JSON.parse((await storage.read(`runtime-calls/${file}`)) as string)
    await storage.writeAtomic(`runtime-calls/${file}`, JSON.stringify({ ...record, dismissed: true }))
    await openRuntime({ storage }, { site: first, workdir })
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
    expect(await listQuestions(first.sandbox)).toEqual([])
  })

  it('is not sent to a tool that is not known to have it', async () => {
    const clock = fakeClock()
    const { agent, server } = await open({ clock })
    server.routes.set('/invoke', () => new Promise(() => {}))
    const { signal, abort } = abortable()
    const result = agent.runtime.invoke(callOf(server), { signal })
    const [invocation] = await arrived(server, '/invoke', 1)
    abort()
    await expect(result).rejects.toBe(stop)
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
    expect(await post(invocation?.body.callback_url, choiceOf(server))).toBe(410)
    await expect(agent.runtime.invoke(callOf(server, { id: 'call_2' }), { signal })).rejects.toBe(stop)
    expect(server.arrivals('/invoke')).toHaveLength(1)
  })
})

describe('a runtime MUST NOT cache or replay a choice', () => {
  it('so the same choice of another call is asked again', async () => {
    const { agent, server, callbackUrl } = await ask()
    await pick(agent.sandbox, 'call_abc123', 'Yes for session')
    await arrived(server, '/respond', 1)
    await post(callbackUrl, resultOf())
    const second = await invoke(agent, server, { id: 'call_2' })
    await post(second.callbackUrl, choiceOf(server, { id: 'call_2' }))
    expect(await questionOf(agent.sandbox, 'call_2')).toMatchObject({ state: 'open' })
    expect(server.arrivals('/respond')).toHaveLength(1)
  })

  it('so a call under the id of a forgotten one does not get its answer', async () => {
    const workdir = await tempFolder()
    const { server } = await open()
    const first = await openRuntime({}, { workdir })
    const { callbackUrl } = await invoke(first, server)
    await post(callbackUrl, choiceOf(server))
    await pick(first.sandbox, 'call_abc123', 'Yes for session')
    await arrived(server, '/respond', 1)
    await post(callbackUrl, resultOf())
    const second = await openRuntime({}, { workdir })
    const again = await invoke(second, server)
    expect(await post(again.callbackUrl, choiceOf(server))).toBe(409)
    expect(server.arrivals('/respond')).toHaveLength(1)
  })

  it('so none is on its disk once the tool has it', async () => {
    const folder = await tempFolder()
    const storage = localFiles(folder)
    const { agent, server } = await ask({ storage })
    await pick(agent.sandbox, 'call_abc123', 'Yes for session')
    await arrived(server, '/respond', 1)
    await vi.waitFor(async () => {
      const [file] = await storage.list('runtime-calls')
      const record = JSON.parse((await storage.read(`runtime-calls/${file}`)) as string)
      expect(record.choice.state).toBe('told')
      expect(record.choice).not.toHaveProperty('selected')
    })
  })
})

describe('the selection', () => {
  it('gets through a burst of server errors, in one piece and order', async () => {
    const { agent, server } = await ask()
    server.fail('/respond', 500, 502, 503)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    const posts = await arrived(server, '/respond', 4)
    expect(posts.map(({ body }) => body)).toEqual(Array(4).fill({ id: 'call_abc123', selected: 1 }))
  })

  it('is tried with pauses that double, as long as the call is pending', async () => {
    const clock = pausesOf(fakeClock())
    const { agent, server, callbackUrl } = await ask({ clock })
    server.fail('/respond', ...Array(1000).fill(500))
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    for (const [index, pauseMs] of [250, 500, 1000, 2000].entries()) {
      await arrived(server, '/respond', index + 1)
      await vi.waitFor(() => expect(clock.pauses).toContain(pauseMs))
      clock.advance(pauseMs)
    }
    expect(await post(callbackUrl, resultOf())).toBe(200)
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it.each([400, 404, 410, 307])('is not tried again after %i', async (status) => {
    const clock = fakeClock()
    const { agent, server, result } = await ask({ clock })
    const elsewhere = await openSite()
    server.routes.set('/respond', async () =>
      status === 307 ? Response.redirect(`${elsewhere.url}/x`, 307) : new Response(null, { status }),
    )
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await vi.waitFor(() =>
      expect(agent.warnings).toMatchObject([{ code: 'REFUSED', toolCallId: 'call_abc123' }]),
    )
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(59_000)
    expect(server.arrivals('/respond')).toHaveLength(1)
    expect(elsewhere.arrivals('/x')).toEqual([])
    expect(await isPending(result)).toBe(true)
  })

  it('goes to the tool or to origins that were allowed, and nowhere else', async () => {
    const friend = await openSite()
    friend.routes.set('/respond', accepting)
    const { agent, server } = await open({ responseUrls: [`${friend.url}/respond`] })
    const { callbackUrl } = await invoke(agent, server)
    const { host } = new URL(server.url)
    for (const response_url of [
      'http://169.254.169.254/latest/meta-data',
      'http://127.0.0.1:1/respond',
      `http://user:secret@${host}/respond`,
      `http://${host}@127.0.0.1:1/respond`,
      `http://${host}.example.com/respond`,
      `https://${host}/respond`,
      'http://:99999/respond',
    ])
      expect(await post(callbackUrl, choiceOf(server, { response_url }))).toBe(403)
    expect(await listQuestions(agent.sandbox)).toEqual([])
    expect(await post(callbackUrl, choiceOf(server, { response_url: `${friend.url}/respond` }))).toBe(200)
    await pick(agent.sandbox, 'call_abc123', 'No')
    expect((await arrived(friend, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
  })
})

describe('what comes to the callback URL', () => {
  it.each<[string, object]>([
    ['without choices', { choices: [] }],
    ['with a default that is no index', { default: 3 }],
    ['with a prompt that says nothing', { prompt: ' ' }],
    ['with labels that cannot be told apart', { choices: ['Yes', 'Yes ', 'No'] }],
    ['with a label that is shown differently from what it is', { choices: ['\u202eseY', 'Yes', 'No'] }],
    ['of an unknown type', { type: 'unknown' }],
  ])('MUST be a valid message: one %s is refused', async (_, wrong) => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server, wrong))).toBe(400)
    expect(await listQuestions(agent.sandbox)).toEqual([])
  })

  it('MUST name the conversation and the call of its invocation, and carry the token of its URL', async () => {
    const { agent, server } = await open()
    const { callbackUrl, result } = await invoke(agent, server, { callId: 'second' })
    const other = (await invoke(agent, server, { id: 'call_2' })).callbackUrl
    const forged: [string, object][] = [
      [callbackUrl, { group_id: 'thread_2' }],
      [callbackUrl, { id: 'call_2' }],
      [callbackUrl, { call_id: 'third' }],
      [other, {}],
      [`${agent.url}/callback`, {}],
      [callbackUrl.slice(0, -1), {}],
      [`${callbackUrl}x`, {}],
    ]
    for (const [url, names] of forged) {
      expect(await post(url, choiceOf(server, names))).toBe(404)
      expect(await post(url, resultOf(names))).toBe(404)
    }
    expect(await listQuestions(agent.sandbox)).toEqual([])
    expect(await isPending(result)).toBe(true)
    expect(await post(callbackUrl, resultOf({ call_id: 'second' }))).toBe(200)
  })

  it('may come twice: a choice is asked once, a result is taken once, and others under their names are refused', async () => {
    const { agent, server, callbackUrl, result } = await ask()
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    expect(await post(callbackUrl, choiceOf(server, { default: 0 }))).toBe(409)
    expect(await listQuestions(agent.sandbox)).toHaveLength(1)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await arrived(server, '/respond', 1)
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await post(callbackUrl, resultOf({ text: 'Something else' }))).toBe(409)
    expect(await post(callbackUrl, choiceOf(server))).toBe(410)
    expect(await result).toEqual({ text: 'Written.' })
    expect(server.arrivals('/respond')).toHaveLength(1)
  })

  it('withdraws the question when it is a result that did not wait for the choice', async () => {
    const { agent, server, callbackUrl, result } = await ask()
    expect(await post(callbackUrl, resultOf({ text: 'Error: User choice flow failed.' }))).toBe(200)
    expect(await result).toEqual({ text: 'Error: User choice flow failed.' })
    await vi.waitFor(async () => expect(await listQuestions(agent.sandbox)).toEqual([]))
    const answer = { toolCallId: QUESTION, answers: { [DIRECTORY_CHOICE.prompt]: 'Yes once' } }
    await expect(submitAnswer(agent.sandbox, answer)).rejects.toMatchObject({ code: 'GONE' })
    expect(server.arrivals('/respond')).toEqual([])
  })

  it('is not forgotten when channel and storage fail for a while', async () => {
    const workdir = await tempFolder()
    const channel = createFileRunnerChannel({ workdir })
    const files = localFiles(await tempFolder())
    const answers = vi.fn(channel.answers).mockImplementationOnce(() => {
      throw new Error('connection lost')
    })
    let failures = 0
    const writeAtomic = async (path: string, content: string) => {
      if (content.includes('"selected":') && failures++ === 0) throw new Error('disk full')
      await files.writeAtomic(path, content)
    }
    const { server } = await open()
    const storage = { ...files, writeAtomic }
    const agent = await openRuntime({ channel: { ...channel, answers }, storage }, { workdir })
    const { callbackUrl } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 1 })
    expect(agent.warnings.map(({ message }) => message)).toEqual(['connection lost', 'disk full'])
  })

  it('is to come again when the question cannot be asked just now', async () => {
    const workdir = await tempFolder()
    const channel = createFileRunnerChannel({ workdir })
    const opened = vi.fn(channel.open).mockRejectedValueOnce(new Error('disk full'))
    const { server } = await open()
    const agent = await openRuntime({ channel: { ...channel, open: opened } }, { workdir })
    const { callbackUrl } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server))).toBe(500)
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    expect(await listQuestions(agent.sandbox)).toHaveLength(1)
  })
})

describe('a call', () => {
  it('is the same when it is made again, and another one under its id is refused', async () => {
    const { agent, server, callbackUrl, result } = await ask()
    const again = agent.runtime.invoke(callOf(server))
    await expect(agent.runtime.invoke(callOf(server, { arguments: {} }))).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await post(callbackUrl, resultOf())
    expect(await again).toEqual(await result)
    expect(await agent.runtime.invoke(callOf(server))).toEqual({ text: 'Written.' })
    expect(server.arrivals('/invoke')).toHaveLength(1)
  })

  it.each([
    [{ endpoint: '/invoke' }, 'INVALID_REQUEST'],
    [{ endpoint: 'file:///invoke' }, 'INVALID_REQUEST'],
    [{ endpoint: 'http://user:secret@127.0.0.1/invoke' }, 'INVALID_REQUEST'],
    [{ operation: '' }, 'INVALID_REQUEST'],
    [{ groupId: '' }, 'INVALID_REQUEST'],
    [{ arguments: { text: 'x'.repeat(600_000) } }, 'TOO_LARGE'],
  ])('that no tool could take is refused: %#', async (wrong, code) => {
    const { agent, server } = await open()
    await expect(agent.runtime.invoke(callOf(server, wrong))).rejects.toMatchObject({ code })
    expect(server.arrivals('/invoke')).toEqual([])
  })

  it('is left pending by closing: the next runtime asks the same question, and posts its answer', async () => {
    const [storage, workdir] = [localFiles(await tempFolder()), await tempFolder()]
    const { server } = await open()
    const first = await openRuntime({ storage }, { workdir })
    const { result, callbackUrl } = await invoke(first, server)
    await post(callbackUrl, choiceOf(server))
    await first.runtime.close()
    await expect(result).rejects.toMatchObject({ code: 'GONE' })
    expect(await post(callbackUrl, resultOf())).toBe(500)
    await submitAnswer(first.sandbox, {
      toolCallId: QUESTION,
      answers: { [DIRECTORY_CHOICE.prompt]: 'Yes once' },
    })

    const second = await openRuntime({ storage }, { site: first, workdir })
    expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 1 })
    const again = second.runtime.invoke(callOf(server))
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await again).toEqual({ text: 'Written.' })
    expect(server.arrivals('/invoke')).toHaveLength(1)
  })

  it('is passed over when its record is damaged, and the others go on', async () => {
    const [folder, workdir] = [await tempFolder(), await tempFolder()]
    const storage = localFiles(folder)
    const { server } = await open()
    const first = await openRuntime({ storage }, { workdir })
    const { callbackUrl } = await invoke(first, server)
    await first.runtime.close()
    await storage.writeAtomic('runtime-calls/broken.json', '{"version":1,')
    const second = await openRuntime({ storage }, { site: first, workdir })
    expect(second.warnings).toMatchObject([{ code: 'INVALID_FILE' }])
    expect(await post(callbackUrl, resultOf())).toBe(200)
  })

  it('is forgotten a day after its end', async () => {
    const storage = localFiles(await tempFolder())
    const clock = fakeClock()
    const { agent, server } = await open({ storage, clock })
    const { result, callbackUrl } = await invoke(agent, server)
    await post(callbackUrl, resultOf())
    await result
    await agent.runtime.close()
    clock.advance(23 * 60 * 60_000)
    await (await openRuntime({ storage, clock })).runtime.close()
    expect(await storage.list('runtime-calls')).toHaveLength(1)
    clock.advance(2 * 60 * 60_000)
    await openRuntime({ storage, clock })
    expect(await storage.list('runtime-calls')).toEqual([])
  })

  it('leaves no timer behind when the runtime closes', async () => {
    const clock = fakeClock()
    const { agent } = await ask({ clock, timeoutMs: 60_000 })
    await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
    await agent.runtime.close()
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })
})
