import { AskError, type ChannelWarning } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createUserChoiceTool, type ToolOperation, type UserChoiceToolOptions } from '../../src/index.ts'
import { createMemoryStorage, createPosts, send } from '../memory-storage.ts'

const FAILED = 'Error: User choice flow failed. Please try again.'
const choice = { prompt: 'May I?', choices: ['No', 'Once', 'Always'], default: 0 }
const remembering = { ...choice, remember: { choices: [2], scope: '/srv' } }
const invocation = {
  operation: 'write',
  arguments: { path: 'a' },
  id: 'i',
  call_id: 'c',
  callback_url: 'https://agent.example/callback',
  group_id: 'g',
  user_id: 'ada',
  thread_ancestors: ['top'],
}

async function start(operation: Partial<ToolOperation> = {}, options: Partial<UserChoiceToolOptions> = {}) {
  const storage = createMemoryStorage()
  const clock = createFakeClock()
  const posts = createPosts()
  const warnings: ChannelWarning[] = []
  const confirmed: unknown[] = []
  const performed: unknown[][] = []
  const write: ToolOperation = {
    confirm: (call) => {
      confirmed.push(call)
      return choice
    },
    perform: (...args) => {
      performed.push(args)
      return `Did ${args[1]?.label}`
    },
    ...operation,
  }
  const open = () =>
    createUserChoiceTool({
      operations: { write },
      storage,
      responseUrl: 'https://tool.example/respond',
      callbackUrls: ['https://agent.example/callback'],
      fetch: posts.fetch,
      clock,
      onWarning: (warning) => warnings.push(warning),
      ...options,
    })
  const tool = await open()
  const arrived = (count: number) =>
    vi.waitFor(() => {
      expect(posts.posted.length).toBeGreaterThanOrEqual(count)
      return posts.posted[count - 1]?.body as Record<string, unknown>
    })
  const invoke = (more: object = {}) => send(tool.invoke, { ...invocation, ...more })
  /** Invokes, and resolves to how to select. */
  const ask = async (more: object = {}) => {
    const count = posts.posted.length + 1
    expect(await invoke(more)).toEqual([200])
    const { response_url } = await arrived(count)
    return (selected: unknown, id = 'i') => send(tool.respond, { id, selected }, String(response_url))
  }
  return { tool, open, storage, clock, ...posts, warnings, confirmed, performed, arrived, invoke, ask }
}

const result = (text: string) => ({ type: 'tool_result', group_id: 'g', id: 'i', call_id: 'c', text })

describe('a call of a tool', () => {
  it('asks for a choice, does what was picked, and sends the result', async () => {
    const { ask, arrived, posted, confirmed, performed, warnings } = await start()
    const select = await ask()
    expect(posted[0]).toEqual({
      url: 'https://agent.example/callback',
      body: {
        type: 'user_choice',
        group_id: 'g',
        id: 'i',
        call_id: 'c',
        ...choice,
        response_url: expect.stringMatching(/^https:\/\/tool\.example\/respond\?token=/),
      },
    })
    expect(await select(1)).toEqual([200])
    expect(await arrived(2)).toEqual(result('Did Once'))
    const call = {
      operation: 'write',
      arguments: { path: 'a' },
      id: 'i',
      groupId: 'g',
      userId: 'ada',
      threadAncestors: ['top'],
      signal: expect.any(AbortSignal),
    }
    expect(confirmed).toEqual([call])
    expect(performed).toEqual([[call, { index: 1, label: 'Once', isRemembered: false }]])
    expect(warnings).toEqual([])
  })

  it('leaves out what the runtime did not name', async () => {
    const { ask, confirmed, posted } = await start()
    await ask({ call_id: undefined, user_id: null, thread_ancestors: undefined })
    expect(confirmed[0]).not.toHaveProperty('userId')
    expect(confirmed[0]).toMatchObject({ threadAncestors: [] })
    expect(posted[0]?.body.call_id).toBeNull()
  })

  it('performs at once when nobody has to choose', async () => {
    const { invoke, arrived, performed } = await start({ confirm: () => null })
    await invoke()
    expect(await arrived(1)).toMatchObject({ type: 'tool_result' })
    expect(performed[0]?.[1]).toBeNull()
  })

  it('uses a choice that holds for the conversation, and says so to people', async () => {
    const { ask, invoke, arrived, performed, tool } = await start({ confirm: () => remembering })
    await (await ask())(2)
    expect(await arrived(2)).not.toHaveProperty('display_as')
    await invoke({ id: 'j' })
    expect(await arrived(3)).toMatchObject({
      text: 'Did Always',
      display_as: [{ type: 'text', content: expect.stringContaining('"Always" was chosen for "/srv"') }],
    })
    expect(performed[1]?.[1]).toEqual({ index: 2, label: 'Always', isRemembered: true })
    expect(await tool.decisions('g')).toMatchObject([{ label: 'Always', userId: 'ada' }])
    expect(await send(tool.closeThread, { thread_id: 'g' })).toEqual([200])
    expect(await tool.decisions('g')).toEqual([])
  })

  it.each([
    [new AskError('FORBIDDEN', 'Not this file'), 'Error: Not this file'],
    [new Error('secret'), 'Error: The operation failed.'],
  ])('turns an error of each part into a result: %s', async (error, text) => {
    const fail = () => {
      throw error
    }
    for (const operation of [{ confirm: fail }, { confirm: () => null, perform: fail }]) {
      const { invoke, arrived, warnings } = await start(operation)
      await invoke()
      expect(await arrived(1)).toEqual(result(text))
      expect(warnings).toEqual([{ code: 'FAILED', message: error.message, toolCallId: 'i' }])
    }
  })

  it('fails when its choice cannot be shown', async () => {
    const { invoke, arrived } = await start({ confirm: () => ({ ...choice, choices: [] }) })
    await invoke()
    expect(await arrived(1)).toEqual(result(FAILED))
  })

  it('of an unknown operation has a result that says so', async () => {
    const { invoke, arrived } = await start()
    await invoke({ operation: 'toString' })
    expect(await arrived(1)).toEqual(result('Error: There is no such operation.'))
  })

  it('fails when the runtime refuses the choice', async () => {
    const { invoke, arrived, statuses, warnings } = await start()
    statuses['/callback'] = 404
    await invoke()
    expect(await arrived(2)).toEqual(result(FAILED))
    await vi.waitFor(() => expect(warnings).toHaveLength(2))
    expect(warnings).toEqual([
      { code: 'REFUSED', message: 'The runtime refused the choice (HTTP 404)', toolCallId: 'i' },
      { code: 'REFUSED', message: 'The runtime refused the result (HTTP 404)', toolCallId: 'i' },
    ])
  })

  it('fails at its deadline', async () => {
    const { ask, arrived, clock } = await start({}, { timeoutMs: 5000 })
    const select = await ask()
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(4999)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    expect(await arrived(2)).toEqual(result(FAILED))
    expect(await select(1)).toEqual([410, 'GONE'])
  })
})

describe('a selection', () => {
  it.each([3, -1, 0.5, '1', null])('that is no index of a choice ends the call: %j', async (selected) => {
    const { ask, arrived, warnings } = await start()
    expect(await (await ask())(selected)).toEqual([400, 'INVALID_ANSWERS'])
    expect(await arrived(2)).toEqual(result(FAILED))
    expect(warnings).toEqual([
      {
        code: 'INVALID_ANSWERS',
        message: 'A selection was refused: This is no selection: expected the index of a choice',
        toolCallId: 'i',
      },
    ])
  })

  it('may come twice, but not another one', async () => {
    const { ask, arrived, warnings, performed } = await start()
    const select = await ask()
    expect([await select(0), await select(0), await select(1)]).toEqual([[200], [200], [409, 'CONFLICT']])
    await arrived(2)
    expect(warnings).toEqual([
      {
        code: 'CONFLICT',
        message: 'A selection was refused: Another selection came first',
        toolCallId: 'i',
      },
    ])
    expect(performed).toHaveLength(1)
  })

  it('in no form ends the call', async () => {
    const { tool, ask, arrived, posted, warnings } = await start()
    await ask()
    const url = String(posted[0]?.body.response_url)
    expect(await send(tool.respond, { selected: 1 }, url)).toEqual([400, 'INVALID_REQUEST'])
    expect(await arrived(2)).toEqual(result(FAILED))
    expect(warnings.map(({ code }) => code)).toEqual(['INVALID_ANSWERS'])
  })

  it('for another call or with another token is refused', async () => {
    const { tool, ask, posted } = await start()
    const select = await ask()
    const url = String(posted[0]?.body.response_url)
    expect(await select(1, 'j')).toEqual([404, 'NOT_FOUND'])
    expect(await send(tool.respond, { id: 'i', selected: 1 }, `${url}x`)).toEqual([404, 'NOT_FOUND'])
    expect(await send(tool.respond, { id: 'i', selected: 1 })).toEqual([404, 'NOT_FOUND'])
    const other = `https://tool.example/respond?token=${'a'.repeat(64)}.x`
    expect(await send(tool.respond, { id: 'i', selected: 1 }, other)).toEqual([404, 'NOT_FOUND'])
  })
})

describe('an invocation', () => {
  it('that comes twice is one call; another one under its id is refused', async () => {
    const { ask, invoke, posted } = await start()
    await ask()
    expect(await invoke()).toEqual([200])
    expect(await invoke({ arguments: {} })).toEqual([409, 'CONFLICT'])
    expect(posted).toHaveLength(1)
  })

  it('is refused when too many calls are pending', async () => {
    const { ask, invoke, warnings } = await start({}, { maxCalls: 2 })
    await ask()
    await ask({ id: 'j' })
    expect(await invoke({ id: 'k' })).toEqual([429, 'RATE_LIMITED'])
    expect(warnings).toEqual([{ code: 'RATE_LIMITED', message: 'A call was refused: 2 calls are pending' }])
    expect(await invoke()).toEqual([200])
  })

  it('is refused when its callback URL is not allowed, and the warning hides the query', async () => {
    const { invoke, warnings } = await start()
    const callback_url = 'https://evil.example/callback?secret=1'
    expect(await invoke({ callback_url })).toEqual([403, 'FORBIDDEN'])
    expect(warnings).toEqual([
      {
        code: 'FORBIDDEN',
        message: 'A call was refused: Nothing is posted to https://evil.example/callback',
      },
    ])
  })

  it('is refused when its sender is not authorized', async () => {
    const { tool, invoke, warnings, posted } = await start({}, { authorize: () => false })
    expect(await invoke()).toEqual([403, 'FORBIDDEN'])
    expect(await send(tool.cancelToolCall, { thread_id: 'g', tool_call_id: 'i' })).toEqual([403, 'FORBIDDEN'])
    expect(await send(tool.closeThread, { thread_id: 'g' })).toEqual([403, 'FORBIDDEN'])
    const unread = new Request('https://tool.example/', { method: 'POST', body: 'no JSON' })
    expect((await tool.invoke(unread)).status).toBe(403)
    expect(warnings[0]).toEqual({ code: 'FORBIDDEN', message: 'A call was refused: It was not authorized' })
    expect(posted).toEqual([])
  })
})

describe('a call that has ended', () => {
  it('makes room for another one', async () => {
    const { ask, invoke, arrived } = await start({}, { maxCalls: 1 })
    const select = await ask()
    expect(await invoke({ id: 'j' })).toEqual([429, 'RATE_LIMITED'])
    await select(0)
    await arrived(2)
    await vi.waitFor(async () => expect(await invoke({ id: 'j' })).toEqual([200]))
  })

  it('is not begun again when its invocation comes again', async () => {
    const { invoke, posted, performed, storage } = await start({ confirm: () => null })
    await invoke()
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('endedAt'))
    expect(await invoke()).toEqual([200])
    expect(await invoke({ arguments: {} })).toEqual([409, 'CONFLICT'])
    expect([posted.length, performed.length]).toEqual([1, 1])
  })

  it('is removed from the storage a day later, when another call comes', async () => {
    const { invoke, storage, clock } = await start({ confirm: () => null })
    const records = () => [...storage.files.keys()].filter((path) => path.startsWith('tool-calls/'))
    await invoke()
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('endedAt'))
    const [first] = records()
    clock.advance(25 * 3_600_000)
    await invoke({ id: 'j' })
    await vi.waitFor(() => expect(records()).toHaveLength(1))
    expect(records()).not.toContain(first)
  })
})

describe('a storage that fails', () => {
  /** A tool whose storage fails while the test wants it. */
  const failing = async (failure: unknown) => {
    const memory = createMemoryStorage()
    const fault = { isThere: false }
    const failed = () => (fault.isThere ? Promise.reject(failure) : Promise.resolve())
    const storage = {
      ...memory,
      writeAtomic: async (path: string, text: string) => {
        await failed()
        await memory.writeAtomic(path, text)
      },
      remove: async (path: string) => {
        await failed()
        await memory.remove(path)
      },
    }
    return { ...(await start({ confirm: () => remembering }, { storage })), fault }
  }

  it('is heard also while its call is being taken', async () => {
    const memory = createMemoryStorage()
    const writes: (() => void)[] = []
    const writeAtomic = async (path: string, text: string): Promise<void> => {
      if (path.includes('tool-calls')) await new Promise<void>((resolve) => writes.push(resolve))
      await memory.writeAtomic(path, text)
    }
    const storage = { ...memory, writeAtomic }
    const { tool, invoke, posted, performed } = await start({}, { storage })
    const invoking = invoke()
    await vi.waitFor(() => expect(writes).toHaveLength(1))
    const cancelling = send(tool.cancelToolCall, { thread_id: 'g', tool_call_id: 'i' })
    const releasing = setInterval(() => writes.shift()?.(), 1)
    onTestFinished(() => clearInterval(releasing))
    expect(await Promise.all([invoking, cancelling])).toEqual([[200], [200]])
    const cancelled = result('Error: This call was cancelled.')
    await vi.waitFor(() => expect(posted.at(-1)?.body).toEqual(cancelled))
    expect(performed).toEqual([])
  })

  it.each([
    [new Error('The disk is full'), 'The disk is full'],
    ['a text', 'a text'],
  ])('is told to the runtime that cancels or closes, which may try again: %s', async (failure, message) => {
    const { tool, ask, arrived, warnings, fault } = await failing(failure)
    await (await ask())(2)
    await arrived(2)
    // The decision does not hold for another person.
    await ask({ id: 'j', user_id: 'grace' })
    fault.isThere = true
    const [cancel, close] = [{ thread_id: 'g', tool_call_id: 'j' }, { thread_id: 'g' }]
    expect(await send(tool.cancelToolCall, cancel)).toEqual([500, 'INTERNAL'])
    expect(await send(tool.closeThread, close)).toEqual([500, 'INTERNAL'])
    expect(warnings).toEqual([
      { code: 'INTERNAL', message },
      { code: 'INTERNAL', message },
    ])
    fault.isThere = false
    expect(await send(tool.cancelToolCall, cancel)).toEqual([200])
    expect(await send(tool.closeThread, close)).toEqual([200])
    expect(JSON.stringify(await arrived(4))).toContain('This call was cancelled')
  })

  it('loses no selection, which the runtime sends again', async () => {
    const { ask, arrived, warnings, fault, clock } = await failing(new Error('The disk is full'))
    const select = await ask()
    expect(await select(1)).toEqual([200])
    await arrived(2)
    const other = await ask({ id: 'j' })
    fault.isThere = true
    expect(await other(1, 'j')).toEqual([500, 'INTERNAL'])
    fault.isThere = false
    expect(await other(1, 'j')).toEqual([200])
    expect(await arrived(4)).toMatchObject({ id: 'j', text: 'Did Once' })
    expect(warnings).toMatchObject([{ code: 'INTERNAL' }])
    expect(clock.pending()).toBe(0)
  })
})

describe('a cancellation', () => {
  it('ends a call that waits for its choice', async () => {
    const { tool, ask, arrived, performed } = await start()
    const select = await ask()
    expect(await send(tool.cancelToolCall, { thread_id: 'g', tool_call_id: 'i' })).toEqual([200])
    expect(await arrived(2)).toEqual(result('Error: This call was cancelled.'))
    expect(await select(1)).toEqual([410, 'GONE'])
    expect(performed).toEqual([])
  })

  it('aborts the work of a call, whose failure is then the cancellation', async () => {
    const perform: ToolOperation['perform'] = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    const { tool, invoke, arrived, storage } = await start({ confirm: () => null, perform })
    await invoke()
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('"at":"performing"'))
    await send(tool.cancelToolCall, { thread_id: 'g', tool_call_id: 'i' })
    expect(await arrived(1)).toEqual(result('Error: This call was cancelled.'))
  })

  it('of an unknown call changes nothing, and one without names is refused', async () => {
    const { tool } = await start()
    expect(await send(tool.cancelToolCall, { thread_id: 'g', tool_call_id: 'x' })).toEqual([200])
    expect(await send(tool.cancelToolCall, { thread_id: 'g' })).toEqual([400, 'INVALID_REQUEST'])
    expect(await send(tool.closeThread, { thread_id: ' ' })).toEqual([400, 'INVALID_REQUEST'])
  })
})

describe('a tool that is closed', () => {
  it('takes nothing, and leaves its calls to the next one', async () => {
    const { tool, open, ask, arrived, invoke, clock, posted } = await start()
    const select = await ask()
    await tool.close()
    expect(clock.pending()).toBe(0)
    expect([await invoke({ id: 'j' }), await select(1)]).toEqual([
      [500, 'INTERNAL'],
      [500, 'INTERNAL'],
    ])
    const next = await open()
    const again = await arrived(2)
    expect(again).toEqual(posted[0]?.body)
    await send(next.respond, { id: 'i', selected: 2 }, String(again.response_url))
    expect(await arrived(3)).toEqual(result('Did Always'))
    await next.close()
  })

  it('interrupts work that has begun', async () => {
    const perform: ToolOperation['perform'] = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))))
    const { tool, open, invoke, arrived, storage, warnings, posted } = await start({
      confirm: () => null,
      perform,
    })
    await invoke()
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('"at":"performing"'))
    await tool.close()
    expect([posted, warnings]).toEqual([[], []])
    const next = await open()
    expect(await arrived(1)).toMatchObject({ text: expect.stringContaining('The tool was interrupted') })
    await next.close()
  })

  it('leaves the decisions of a conversation to the next one', async () => {
    const { tool, open, ask, arrived, invoke } = await start({ confirm: () => remembering })
    await (await ask())(2)
    await arrived(2)
    await tool.close()
    expect(await invoke({ id: 'j' })).toEqual([500, 'INTERNAL'])
    const next = await open()
    expect(await next.decisions('g')).toMatchObject([{ label: 'Always', scope: '/srv' }])
    await next.forget('g')
    expect(await next.decisions('g')).toEqual([])
    await next.close()
  })
})

describe('the toolset', () => {
  const get = (tool: { toolset: (request: Request) => Promise<Response> }, method = 'GET') =>
    tool.toolset(new Request('https://tool.example/', { method }))

  it('describes each operation', async () => {
    const toolset = { name: 'files', endpoint: 'https://tool.example/invoke' }
    const named = await start({}, { toolset })
    expect(await (await get(named.tool)).json()).toEqual({
      ...toolset,
      tools: [{ name: 'write', description: 'write', inputSchema: { type: 'object' } }],
    })
    const inputSchema = { type: 'object', properties: {} }
    const described = await start({ description: 'Writes a file', inputSchema }, { toolset })
    expect(await (await get(described.tool)).json()).toMatchObject({
      tools: [{ description: 'Writes a file', inputSchema }],
    })
    const refused = await get(named.tool, 'POST')
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await get(described.tool, 'HEAD')).status).toBe(200)
  })

  it('is missing unless it is asked for', async () => {
    expect((await get((await start()).tool)).status).toBe(404)
  })
})
