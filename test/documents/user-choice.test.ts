// The User Choice document, sentence by sentence. What it does not speak of is tested in test/dialects/user-choice-*.
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { createFileHostChannel, createLocalFiles } from '@sandagent/files'
import { freePort, listen } from '@sandagent/fixtures/listen.ts'
import { createAnswerHandler, declineQuestion, listQuestions, submitAnswer } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import type { UserChoiceToolOptions } from '@sandagent/user-choice'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  arrived,
  DIRECTORY_CHOICE,
  openRuntime,
  openSite,
  openTool,
  pick,
  post,
  questionOf,
  type Site,
  type ToolSite,
  tempFolder,
  writeOperation,
} from '../support/user-choice/user-choice.ts'
import * as runtimeSide from '../support/user-choice/user-choice-runtime.ts'
import * as toolSide from '../support/user-choice/user-choice-tool.ts'

describe('the user_choice message', () => {
  const { ask, choiceOf, invoke, open } = runtimeSide

  it.each(['group_id', 'id', 'prompt', 'choices', 'default', 'response_url'])(
    'needs its %s: without it nobody is asked',
    async (field) => {
      const { agent, server } = await open()
      const { callbackUrl } = await invoke(agent, server)
      expect(await post(callbackUrl, choiceOf(server, { [field]: undefined }))).toBe(400)
      expect(await listQuestions(agent.sandbox)).toEqual([])
    },
  )

  it.each<[string, object, number]>([
    ['is called user_choice', { type: 'choice' }, 400],
    ['names the conversation of its invocation', { group_id: 'thread_2' }, 404],
    ['names the call of its invocation', { id: 'call_2' }, 404],
    ['gives back the second name of its invocation', { call_id: 'third' }, 404],
    ['has at least one choice', { choices: [] }, 400],
    ['has choices that are texts', { choices: ['Yes', 1, 'No'] }, 400],
    ['has a default that is an index into its choices', { default: 3 }, 400],
    ['has a response URL that can be posted to', { response_url: 'mailto:tool@example.com' }, 400],
    ['has labels that people can read', { choices: ['Yes', ' ', 'No'] }, 400],
    ['has labels that do not mislead', { choices: ['Yes', '\u202eseY', 'No'] }, 400],
  ])('%s, or it is refused', async (_, wrong, status) => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server, { callId: 'second' })
    expect(await post(callbackUrl, choiceOf(server, { call_id: 'second', ...wrong }))).toBe(status)
    expect(await listQuestions(agent.sandbox)).toEqual([])
    expect(await post(callbackUrl, choiceOf(server, { call_id: 'second' }))).toBe(200)
  })

  it('may leave out the second name, or give null for it, where the invocation had none', async () => {
    const { agent, server, callbackUrl } = await ask()
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    const second = await invoke(agent, server, { id: 'call_2' })
    expect(await post(second.callbackUrl, choiceOf(server, { id: 'call_2', call_id: undefined }))).toBe(200)
  })

  it('may have a single choice', async () => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server, { choices: ['Go on'], default: 0 }))).toBe(200)
    await pick(agent.sandbox, 'call_abc123', 'Go on')
    const [selection] = await arrived(server, '/respond', 1)
    expect(selection?.body).toEqual({ id: 'call_abc123', selected: 0 })
  })
})

describe('the flow', () => {
  it('goes from the invocation through choice and selection to the result, and the agent sees the result alone', async () => {
    const [agent, server] = [await openRuntime(), await openSite()]
    const { endpoint } = await openTool(agent.url, {}, server)
    const call = { endpoint, operation: 'write', arguments: { directory: '/src' } }
    const result = agent.runtime.invoke({ ...call, id: 'call_1', groupId: 'thread_1' })
    await pick(agent.sandbox, 'call_1', 'Yes once')
    expect(await result).toEqual({ text: 'Written: Yes once' })
    expect(server.arrivals('/invoke')).toHaveLength(1)
    expect(server.arrivals('/user_choice_response').map(({ body }) => body)).toEqual([
      { id: 'call_1', selected: 1 },
    ])
    expect(agent.arrivals('/callback').map(({ body }) => body.type)).toEqual(['user_choice', 'tool_result'])
  })
})

describe('the runtime', () => {
  const { ask, callOf, choiceOf, invoke, isPending, open, QUESTION, resultOf } = runtimeSide

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
      await declineQuestion(agent.sandbox, { toolCallId: QUESTION })
      expect((await arrived(server, '/respond', 1))[0]?.body).toEqual({ id: 'call_abc123', selected: 2 })
    })

    it('sends the default when the time runs out, also over a draft of another choice', async () => {
      const clock = createFakeClock()
      const { agent, server } = await ask({
        clock,
        timeoutMs: 60_000,
        // The clock runs on while the selection is sent, which must not cut it off.
        fetch: (url, init) => fetch(url, { ...init, signal: null }),
      })
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
      const clock = createFakeClock()
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
      const [storage, clock] = [createLocalFiles(await tempFolder()), createFakeClock()]
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
      const clock = createFakeClock()
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
      const storage = createLocalFiles(folder)
      const { agent, server } = await ask({ storage })
      await pick(agent.sandbox, 'call_abc123', 'Yes for session')
      await arrived(server, '/respond', 1)
      await vi.waitFor(async () => {
        const [file] = await storage.list('runtime-calls')
        const record = JSON.parse((await storage.read(`runtime-calls/${file}`)) as string)
        expect(record.step.at).toBe('told')
        expect(record.step).not.toHaveProperty('selected')
      })
    })
  })
})

describe('the tool', () => {
  const { choiceOf, FAILED, invocation, open, operationOf, resultAfter } = toolSide

  describe('a tool', () => {
    it('acknowledges an invocation at once, before it looks at what to do', async () => {
      let begin: () => void = () => {}
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const confirm = async () => {
        await begun
        return null
      }
      const { agent, server } = await open({ operations: { write: { confirm, perform: () => 'Done' } } })
      expect(await post(server.endpoint, invocation(agent))).toBe(200)
      expect(agent.arrivals('/callback')).toEqual([])
      begin()
      expect(await resultAfter(agent, 0)).toBe('Done')
    })

    it('MUST send a user_choice message to the callback URL when confirmation is required', async () => {
      const { agent, server } = await open()
      expect(await choiceOf(agent, server)).toEqual({
        type: 'user_choice',
        group_id: 'thread_xyz',
        id: 'call_abc123',
        call_id: null,
        prompt: 'Allow writing to the original directory?',
        choices: ['Yes for session', 'Yes once', 'No'],
        default: 2,
        response_url: expect.stringMatching(new RegExp(`^${server.url}/user_choice_response\\?token=`)),
      })
    })

    it('MUST give back group_id, id and a call_id that it got, in the choice and in the result', async () => {
      const { agent, server } = await open()
      const names = { group_id: 'thread_xyz', id: 'call ../"1"', call_id: 'second' }
      const { response_url } = await choiceOf(agent, server, names)
      await post(response_url, { id: names.id, selected: 1 })
      const [choice, result] = await arrived(agent, '/callback', 2)
      expect(choice?.body).toMatchObject(names)
      expect(result?.body).toMatchObject({ type: 'tool_result', ...names })
    })

    it('MUST detect that confirmation is required before it attempts the operation', async () => {
      const performed = vi.fn(() => 'Done')
      const { agent, server } = await open({
        operations: { write: { ...writeOperation, perform: performed } },
      })
      const { response_url } = await choiceOf(agent, server)
      expect(performed).not.toHaveBeenCalled()
      await post(response_url, { id: 'call_abc123', selected: 1 })
      await resultAfter(agent, 1)
      expect(performed).toHaveBeenCalledOnce()
    })

    it.each([
      ['at least one choice', { choices: [] }],
      ['a default that is a valid index', { default: 3 }],
      ['labels that people can read', { choices: ['Yes', '\u200e', 'No'] }],
      [
        'labels that do not mislead: none shown differently from what it is',
        { choices: ['\u202eoN', 'Yes', 'No'] },
      ],
      ['labels that do not mislead: none like another', { choices: ['Yes', 'No', 'No '] }],
    ])('MUST offer %s, or nobody is asked and the call fails', async (_, wrong) => {
      const { agent, server } = await open({
        operations: { write: operationOf({ ...DIRECTORY_CHOICE, ...wrong }) },
      })
      await post(server.endpoint, invocation(agent))
      expect(await resultAfter(agent, 0)).toBe(FAILED)
      expect(server.warnings).toMatchObject([{ code: 'FAILED', toolCallId: 'call_abc123' }])
    })

    it('MUST take the selection at a response URL that it controls', async () => {
      const { agent, server } = await open()
      const { response_url } = await choiceOf(agent, server)
      expect(await post(response_url, { id: 'call_abc123', selected: 0 })).toBe(200)
      expect(server.arrivals('/user_choice_response')).toHaveLength(1)
    })

    it.each([
      [0, 'Written: Yes for session'],
      [1, 'Written: Yes once'],
      [2, 'Declined'],
    ])(
      'MUST complete or decline the operation by the choice %i, and send a tool_result',
      async (selected, text) => {
        const { agent, server } = await open()
        const { response_url } = await choiceOf(agent, server)
        await post(response_url, { id: 'call_abc123', selected })
        expect(await resultAfter(agent, 1)).toBe(text)
      },
    )

    it('sends the result without any question when nobody has to choose', async () => {
      const { agent, server } = await open({
        operations: { read: { confirm: () => null, perform: () => 'Text' } },
      })
      await post(server.endpoint, invocation(agent, { operation: 'read' }))
      expect(await resultAfter(agent, 0)).toBe('Text')
    })
  })

  describe('a tool MUST NOT leave a call pending', () => {
    it('when the runtime refuses the choice: that is not tried again', async () => {
      const { agent, server } = await open()
      agent.fail('/callback', 400)
      await post(server.endpoint, invocation(agent))
      expect(await resultAfter(agent, 1)).toBe(FAILED)
      expect(server.warnings).toMatchObject([{ code: 'REFUSED' }])
    })

    it('when the runtime fails for a while: choice and result come later, once each', async () => {
      const { agent, server } = await open()
      agent.fail('/callback', 500, 503, 200, 502, 500)
      await post(server.endpoint, invocation(agent))
      const [, , choice] = await arrived(agent, '/callback', 3)
      const { response_url } = choice?.body ?? {}
      await post(response_url, { id: 'call_abc123', selected: 1 })
      expect(await resultAfter(agent, 5)).toBe('Written: Yes once')
    })

    it('when nobody chooses in time: a day, if nothing else is said', async () => {
      const clock = createFakeClock()
      const { agent, server } = await open({ clock })
      const { response_url } = await choiceOf(agent, server)
      await vi.waitFor(() => expect(clock.pending()).toBe(1))
      clock.advance(24 * 60 * 60_000)
      expect(await resultAfter(agent, 1)).toBe(FAILED)
      expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(410)
    })

    it('when the runtime is away for as long as the choice is sent', async () => {
      const clock = createFakeClock()
      const { agent, server } = await open({ clock })
      agent.fail('/callback', ...Array(1000).fill(503))
      await post(server.endpoint, invocation(agent))
      await vi.waitFor(() => {
        clock.advance(1000)
        expect(server.warnings).toMatchObject([{ code: 'UNREACHABLE' }])
      })
      agent.fail('/callback')
      await vi.waitFor(() => {
        clock.advance(1000)
        expect(agent.arrivals('/callback').at(-1)?.body).toMatchObject({ type: 'tool_result', text: FAILED })
      })
    })

    it('when the runtime cannot reach the response URL: the model reads that the choice failed', async () => {
      const clock = createFakeClock()
      const unreachable = 'http://127.0.0.1:1'
      const agent = await openRuntime({ responseUrls: [`${unreachable}/respond`] })
      const server = await openTool(agent.url, {
        clock,
        responseUrl: `${unreachable}/respond`,
        timeoutMs: 60_000,
      })
      const result = agent.runtime.invoke({
        endpoint: server.endpoint,
        operation: 'write',
        arguments: { directory: '/src' },
        id: 'call_abc123',
        groupId: 'thread_xyz',
      })
      await pick(agent.sandbox, 'call_abc123', 'Yes once')
      await vi.waitFor(() => expect(clock.pending()).toBe(1))
      clock.advance(60_000)
      expect(await result).toEqual({ text: FAILED })
    })

    it.each([3, -1, 0.5, '1', null])('when the selection is no index of a choice: %j', async (selected) => {
      const { agent, server } = await open()
      const { response_url } = await choiceOf(agent, server)
      expect(await post(response_url, { id: 'call_abc123', selected })).toBe(400)
      expect(await resultAfter(agent, 1)).toBe(FAILED)
      expect(await post(response_url, { id: 'call_abc123', selected: 0 })).toBe(410)
    })

    it.each([
      ['has no index', '{"id":"call_abc123"}', 'application/json', 400],
      ['has no id', '{"selected":1}', 'application/json', 400],
      ['is no JSON', '{"id":', 'application/json', 400],
      ['is empty', '', 'application/json', 400],
      ['says that it is something else', '{"id":"call_abc123","selected":1}', 'text/plain', 415],
      ['is too large', JSON.stringify({ id: 'x'.repeat(600_000) }), 'application/json', 413],
    ])('when the body of the selection %s', async (_, body, type, status) => {
      const { agent, server } = await open()
      const { response_url } = await choiceOf(agent, server)
      const response = await fetch(response_url, { method: 'POST', headers: { 'content-type': type }, body })
      expect(response.status).toBe(status)
      expect(await resultAfter(agent, 1)).toBe(FAILED)
      expect(await post(response_url, { id: 'call_abc123', selected: 0 })).toBe(410)
    })

    it('when the operation fails: of an inner error the model reads nothing', async () => {
      const perform = () => {
        throw new Error('password: hunter2')
      }
      const { agent, server } = await open({ operations: { write: { ...writeOperation, perform } } })
      const { response_url } = await choiceOf(agent, server)
      await post(response_url, { id: 'call_abc123', selected: 0 })
      expect(await resultAfter(agent, 1)).toBe('Error: The operation failed.')
      expect(server.warnings).toMatchObject([{ code: 'FAILED', message: 'password: hunter2' }])
    })

    it('when its storage fails as the result is kept: the model reads that it was interrupted', async () => {
      const files = createLocalFiles(await tempFolder())
      let failures = 0
      const writeAtomic = async (path: string, content: string) => {
        if (content.includes('"result"') && failures++ === 0) throw new Error('disk full')
        await files.writeAtomic(path, content)
      }
      const { agent, server } = await open({
        storage: { ...files, writeAtomic },
        operations: { write: { confirm: () => null, perform: () => 'Done' } },
      })
      await post(server.endpoint, invocation(agent))
      expect(await resultAfter(agent, 0)).toMatch(/^Error: The tool was interrupted/)
      expect(server.warnings).toContainEqual(expect.objectContaining({ message: 'disk full' }))
    })

    it('when the result is longer than a message may be', async () => {
      const { agent, server } = await open({
        operations: { write: { confirm: () => null, perform: () => 'x'.repeat(300_000) } },
      })
      await post(server.endpoint, invocation(agent))
      expect(await resultAfter(agent, 0)).toMatch(/^Error: It is done, but its result is too long/)
    })

    it('when there is no such operation, not even by a hostile name', async () => {
      const { agent, server } = await open()
      await post(server.endpoint, invocation(agent, { operation: 'constructor' }))
      expect(await resultAfter(agent, 0)).toBe('Error: There is no such operation.')
    })

    it('when it was closed while it waited: the next one asks again and goes on', async () => {
      const storage = createLocalFiles(await tempFolder())
      const { agent, server } = await open({ storage })
      const { response_url } = await choiceOf(agent, server)
      await server.tool.close()
      expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(500)
      await openTool(agent.url, { storage }, server)
      expect((await arrived(agent, '/callback', 2))[1]?.body).toMatchObject({
        type: 'user_choice',
        response_url,
      })
      expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
      expect(await resultAfter(agent, 2)).toBe('Written: Yes once')
    })

    it('when it went down in the middle of the work: that is told, and not begun again', async () => {
      const storage = createLocalFiles(await tempFolder())
      const perform = vi.fn((call: { signal: AbortSignal }) => {
        return new Promise<string>((_, reject) =>
          call.signal.addEventListener('abort', () => reject(new Error())),
        )
      })
      const operations = { write: { ...writeOperation, perform } }
      const { agent, server } = await open({ storage, operations })
      const { response_url } = await choiceOf(agent, server)
      await post(response_url, { id: 'call_abc123', selected: 1 })
      await vi.waitFor(() => expect(perform).toHaveBeenCalledOnce())
      await server.tool.close()
      await openTool(agent.url, { storage, operations }, server)
      expect(await resultAfter(agent, 1)).toMatch(/^Error: The tool was interrupted/)
      expect(perform).toHaveBeenCalledOnce()
    })

    it('when the result could not be delivered before it was closed', async () => {
      const storage = createLocalFiles(await tempFolder())
      const { agent, server } = await open({ storage })
      const { response_url } = await choiceOf(agent, server)
      agent.fail('/callback', 500)
      await post(response_url, { id: 'call_abc123', selected: 1 })
      await arrived(agent, '/callback', 2)
      await server.tool.close()
      const before = agent.arrivals('/callback').length
      await openTool(agent.url, { storage }, server)
      expect(await resultAfter(agent, before)).toBe('Written: Yes once')
    })
  })

  describe('a choice for the session', () => {
    /** Calls once more under another id; resolves to the kind of message that comes. */
    const again = async (agent: Site, server: ToolSite, id: string, more: object = {}): Promise<string> =>
      (await choiceOf(agent, server, { id, ...more })).type

    /** Chooses this for the first call. */
    const chosen = async (selected: number, options: Partial<UserChoiceToolOptions> = {}) => {
      const opened = await open(options)
      const { response_url } = await choiceOf(opened.agent, opened.server, { user_id: 'user_42' })
      await post(response_url, { id: 'call_abc123', selected })
      await resultAfter(opened.agent, 1)
      return opened
    }

    it('SHOULD be stored, so that later calls of the session do not ask again', async () => {
      const { agent, server } = await chosen(0)
      const { type, text } = await choiceOf(agent, server, { id: 'call_2', user_id: 'user_42' })
      expect([type, text]).toEqual(['tool_result', 'Written: Yes for session'])
    })

    it('holds after a restart', async () => {
      const storage = createLocalFiles(await tempFolder())
      const { agent, server } = await chosen(0, { storage })
      await server.tool.close()
      await openTool(agent.url, { storage }, server)
      expect(await again(agent, server, 'call_2', { user_id: 'user_42' })).toBe('tool_result')
    })

    it.each([
      ['another conversation', { group_id: 'thread_2', user_id: 'user_42' }],
      ['another user', { user_id: 'user_43' }],
      ['another scope', { arguments: { directory: '/etc' }, user_id: 'user_42' }],
      ['another operation', { operation: 'remove', user_id: 'user_42' }],
    ])('SHOULD permit no more than it says: %s asks', async (_, more) => {
      const { agent, server } = await chosen(0, {
        operations: { write: writeOperation, remove: writeOperation },
      })
      expect(await again(agent, server, 'call_2', more)).toBe('user_choice')
    })

    it.each([1, 2])('is only one that says so: after choice %i the user is asked again', async (selected) => {
      const storage = createLocalFiles(await tempFolder())
      const { agent, server } = await chosen(selected, { storage })
      expect(await storage.list('decisions')).toEqual([])
      expect(await again(agent, server, 'call_2', { user_id: 'user_42' })).toBe('user_choice')
    })

    it('is forgotten with its session', async () => {
      const { agent, server } = await chosen(0)
      await server.tool.forget('thread_xyz')
      expect(await again(agent, server, 'call_2', { user_id: 'user_42' })).toBe('user_choice')
    })

    it('is asked for again when its record is damaged', async () => {
      const storage = createLocalFiles(await tempFolder())
      const { agent, server } = await chosen(0, { storage })
      const [folder] = await storage.list('decisions')
      const [file] = await storage.list(`decisions/${folder}`)
      await storage.writeAtomic(`decisions/${folder}/${file}`, '{"label"')
      expect(await again(agent, server, 'call_2', { user_id: 'user_42' })).toBe('user_choice')
    })
  })

  describe('the URLs of a tool', () => {
    it.each([
      'http://127.0.0.1:4000',
      'http://localhost:4000',
      'http://[::1]:4000',
      'http://10.1.2.3',
      'http://tools',
    ])('SHOULD be local or internal for selections: %s is fine', async (responseUrl) => {
      const { server } = await open({ responseUrl })
      expect(server.warnings).toEqual([])
    })

    it.each([
      'http://tools.example.com/respond',
      'http://93.184.216.34/respond',
      'http://[2606:2800::1]/respond',
    ])('SHOULD keep selections from strangers: %s is refused, and fine with TLS', async (responseUrl) => {
      await expect(open({ responseUrl })).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
      await open({ responseUrl: responseUrl.replace('http:', 'https:') })
    })

    it.each([
      'http://169.254.169.254/latest/meta-data',
      'http://127.0.0.1:1/callback',
      'http://ORIGIN/admin/delete',
      'http://user:secret@ORIGIN/callback',
      'http://:99999',
    ])('are no way to make it post elsewhere: %s is refused as callback URL', async (url) => {
      const { agent, server } = await open()
      const callback_url = url.replace('ORIGIN', new URL(agent.url).host)
      expect(await post(server.endpoint, invocation(agent, { callback_url }))).toBe(403)
      expect(agent.arrivals('/callback')).toEqual([])
      expect(server.warnings).toMatchObject([{ code: 'FORBIDDEN' }])
    })

    it('are not left by a redirect', async () => {
      const { agent, server } = await open()
      const elsewhere = await openSite()
      agent.routes.set('/callback', async () => Response.redirect(`${elsewhere.url}/callback`, 307))
      await post(server.endpoint, invocation(agent))
      await vi.waitFor(() => expect(server.warnings.map(({ code }) => code)).toEqual(['REFUSED', 'REFUSED']))
      expect(elsewhere.arrivals('/callback')).toEqual([])
    })

    it('cannot be guessed: a selection without the token of its call is for an unknown call', async () => {
      const { agent, server } = await open()
      const { response_url } = await choiceOf(agent, server)
      const other = (await choiceOf(agent, server, { id: 'call_2' })).response_url
      const selection = { id: 'call_abc123', selected: 1 }
      const forged = [
        `${server.url}/user_choice_response`,
        `${server.url}/user_choice_response?token=../../etc/passwd.x`,
        response_url.slice(0, -1),
        `${response_url}x`,
        other,
      ]
      for (const url of forged) expect(await post(url, selection)).toBe(404)
      expect(await post(response_url, { ...selection, id: 'call_2' })).toBe(404)
      expect(agent.arrivals('/callback')).toHaveLength(2)
      expect(await post(response_url, selection)).toBe(200)
    })

    it('take a POST alone', async () => {
      const { agent, server } = await open()
      const { response_url } = await choiceOf(agent, server)
      expect((await fetch(response_url)).status).toBe(405)
      expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
    })
  })
})

describe('meant differences', () => {
  const { ask, choiceOf, invoke, open } = runtimeSide

  it('a call whose choice was refused does not stay pending: it fails after a minute', async () => {
    const clock = createFakeClock()
    const { agent, server } = await open({ clock })
    const { callbackUrl, result } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server, { choices: [] }))).toBe(400)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(60_000)
    expect(await result).toEqual({ text: toolSide.FAILED })
  })

  it('a call has one choice: a second one is refused, and the first one stays', async () => {
    const { agent, server, callbackUrl } = await ask()
    expect(await post(callbackUrl, choiceOf(server, { prompt: 'Allow everything?' }))).toBe(409)
    expect(await listQuestions(agent.sandbox)).toHaveLength(1)
    await pick(agent.sandbox, 'call_abc123', 'No')
    await arrived(server, '/respond', 1)
  })

  it('the names of this machine are alike in a response URL', async () => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server)
    const response_url = `${server.url.replace('127.0.0.1', 'localhost')}/respond`
    expect(await post(callbackUrl, choiceOf(server, { response_url }))).toBe(200)
    expect(await listQuestions(agent.sandbox)).toHaveLength(1)
  })

  it('a selection is not posted to a server that the tool does not control', async () => {
    const { agent, server } = await open()
    const { callbackUrl } = await invoke(agent, server)
    const elsewhere = await openSite()
    const response_url = `${elsewhere.url}/respond`
    expect(await post(callbackUrl, choiceOf(server, { response_url }))).toBe(403)
    expect(await listQuestions(agent.sandbox)).toEqual([])
  })

  it('a message without the token of its URL is for an unknown call', async () => {
    const { agent, server, callbackUrl } = await ask()
    expect(await post(callbackUrl.replace(/\?.*/, ''), choiceOf(server))).toBe(404)
    expect(agent.arrivals('/callback')).toHaveLength(2)
  })

  it('a grant of a parent conversation does not hold in its child: the user is asked there', async () => {
    const { agent, server } = await toolSide.open()
    const { response_url } = await toolSide.choiceOf(agent, server)
    await post(response_url, { id: 'call_abc123', selected: 0 })
    await toolSide.resultAfter(agent, 1)
    const child = { group_id: 'thread_child', thread_ancestors: ['thread_xyz'] }
    expect((await toolSide.choiceOf(agent, server, child)).type).toBe('user_choice')
  })
})
