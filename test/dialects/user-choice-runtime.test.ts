import { createFileHostChannel, createFileRunnerChannel, createLocalFiles } from '@sandagent/files'
import { listQuestions, submitAnswer } from '@sandagent/sdk'
import { createFakeClock, type FakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import {
  accepting,
  arrived,
  DIRECTORY_CHOICE,
  openRuntime,
  openSite,
  pick,
  post,
  tempFolder,
} from '../support/user-choice/user-choice.ts'
import {
  ask,
  callOf,
  choiceOf,
  invoke,
  isPending,
  open,
  QUESTION,
  resultOf,
} from '../support/user-choice/user-choice-runtime.ts'

/** A clock that keeps what it was asked to wait for, in milliseconds. */
const pausesOf = (clock: FakeClock): FakeClock & { pauses: number[] } => {
  const pauses: number[] = []
  const after: FakeClock['after'] = (ms, callback) => {
    pauses.push(ms)
    return clock.after(ms, callback)
  }
  return { ...clock, after, pauses }
}

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
    const [storage, workdir] = [createLocalFiles(await tempFolder()), await tempFolder()]
    const { server } = await open()
    const first = await openRuntime({ storage }, { workdir })
    const { signal, abort } = abortable()
    const result = first.runtime.invoke(callOf(server), { signal })
    const [invocation] = await arrived(server, '/invoke', 1)
    await vi.waitFor(async () => {
      const [file] = await storage.list('runtime-calls')
      expect(await storage.read(`runtime-calls/${file}`)).toContain('"at":"waiting"')
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
    const [storage, workdir] = [createLocalFiles(await tempFolder()), await tempFolder()]
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
    const clock = createFakeClock()
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

describe('the selection', () => {
  it('gets through a burst of server errors, in one piece and order', async () => {
    const { agent, server } = await ask()
    server.fail('/respond', 500, 502, 503)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    const posts = await arrived(server, '/respond', 4)
    expect(posts.map(({ body }) => body)).toEqual(Array(4).fill({ id: 'call_abc123', selected: 1 }))
  })

  it('is tried with pauses that double, as long as the call is pending', async () => {
    const clock = pausesOf(createFakeClock())
    const { agent, server, callbackUrl } = await ask({ clock })
    server.fail('/respond', ...Array(1000).fill(500))
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    for (const [index, pauseMs] of [100, 200, 400, 800].entries()) {
      await arrived(server, '/respond', index + 1)
      await vi.waitFor(() => expect(clock.pauses).toContain(pauseMs))
      clock.advance(pauseMs)
    }
    expect(await post(callbackUrl, resultOf())).toBe(200)
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it.each([400, 404, 410, 307])('is not tried again after %i', async (status) => {
    const clock = createFakeClock()
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
    const files = createLocalFiles(await tempFolder())
    const subscribe = vi.fn(channel.subscribe).mockImplementationOnce(() => {
      throw new Error('connection lost')
    })
    let failures = 0
    const writeAtomic = async (path: string, content: string) => {
      if (content.includes('"selected":') && failures++ === 0) throw new Error('disk full')
      await files.writeAtomic(path, content)
    }
    const { server } = await open()
    const storage = { ...files, writeAtomic }
    const agent = await openRuntime({ channel: { ...channel, subscribe }, storage }, { workdir })
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
    const [storage, workdir] = [createLocalFiles(await tempFolder()), await tempFolder()]
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
    const storage = createLocalFiles(folder)
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
    const storage = createLocalFiles(await tempFolder())
    const clock = createFakeClock()
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
    const clock = createFakeClock()
    const { agent } = await ask({ clock, timeoutMs: 60_000 })
    await vi.waitFor(() => expect(clock.pending()).toBeGreaterThan(0))
    await agent.runtime.close()
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })
})
