import { localFiles } from '@sandagent/files'
import type { UserChoiceToolOptions } from '@sandagent/runner/user-choice'
import { describe, expect, it, vi } from 'vitest'
import { fakeClock } from '../support/fake-clock.ts'
import {
  arrived,
  DIRECTORY_CHOICE,
  openRuntime,
  openSite,
  openTool,
  pick,
  post,
  type Site,
  type ToolSite,
  tempFolder,
  writeOperation,
} from '../support/user-choice.ts'
import { choiceOf, FAILED, invocation, open, operationOf, resultAfter } from '../support/user-choice-tool.ts'

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
    const { agent, server } = await open({ operations: { write: { ...writeOperation, perform: performed } } })
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
    const clock = fakeClock()
    const { agent, server } = await open({ clock })
    const { response_url } = await choiceOf(agent, server)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(24 * 60 * 60_000)
    expect(await resultAfter(agent, 1)).toBe(FAILED)
    expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(410)
  })

  it('when the runtime is away for as long as the choice is sent', async () => {
    const clock = fakeClock()
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
    const clock = fakeClock()
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
    const files = localFiles(await tempFolder())
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
    const storage = localFiles(await tempFolder())
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
    const storage = localFiles(await tempFolder())
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
    const storage = localFiles(await tempFolder())
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

describe('what arrives twice', () => {
  it('is one call, when it is the invocation; another one under its id is refused', async () => {
    const { agent, server } = await open()
    const { response_url } = await choiceOf(agent, server)
    expect(await post(server.endpoint, invocation(agent))).toBe(200)
    expect(await post(server.endpoint, invocation(agent, { arguments: { directory: '/etc' } }))).toBe(409)
    await post(response_url, { id: 'call_abc123', selected: 1 })
    await resultAfter(agent, 1)
    expect(await post(server.endpoint, invocation(agent))).toBe(200)
    expect(agent.arrivals('/callback')).toHaveLength(2)
  })

  it('is one selection, also after the call has ended; another one is refused', async () => {
    const { agent, server } = await open()
    const { response_url } = await choiceOf(agent, server)
    expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
    expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
    expect(await resultAfter(agent, 1)).toBe('Written: Yes once')
    expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
    expect(await post(response_url, { id: 'call_abc123', selected: 0 })).toBe(409)
    expect(agent.arrivals('/callback')).toHaveLength(2)
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
    const storage = localFiles(await tempFolder())
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
    const storage = localFiles(await tempFolder())
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
    const storage = localFiles(await tempFolder())
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

  it('take well-formed messages only', async () => {
    const { agent, server } = await open()
    const { response_url } = await choiceOf(agent, server)
    const send = async (body: string, type = 'application/json', method = 'POST') => {
      const request = { method, headers: { 'content-type': type }, ...(method === 'POST' && { body }) }
      return (await fetch(response_url, request)).status
    }
    expect(await send('{"id":')).toBe(400)
    expect(await send('{"selected":1}')).toBe(400)
    expect(await send('{}', 'text/plain')).toBe(415)
    expect(await send(JSON.stringify({ id: 'x'.repeat(600_000) }))).toBe(413)
    expect(await send('', 'application/json', 'GET')).toBe(405)
    expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(200)
  })
})

it('leaves no timer behind when it is closed', async () => {
  const clock = fakeClock()
  const { agent, server } = await open({ clock })
  await choiceOf(agent, server)
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await server.tool.close()
  expect(clock.pending()).toBe(0)
})
