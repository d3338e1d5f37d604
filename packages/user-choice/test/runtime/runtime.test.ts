import type { ChannelWarning } from '@sandagent/core'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { createUserChoiceRuntime, type UserChoiceRuntimeOptions } from '../../src/index.ts'
import { createMemoryStorage, createPosts, send } from '../memory-storage.ts'
import { createWorkspace, picked } from '../workspace.ts'

const FAILED = { text: 'Error: User choice flow failed. Please try again.' }
const QUESTION = 'g:i'
const call = {
  endpoint: 'https://tool.example/invoke',
  operation: 'write',
  arguments: { path: 'a' },
  id: 'i',
  groupId: 'g',
}
const choice = {
  type: 'user_choice',
  group_id: 'g',
  id: 'i',
  call_id: null,
  prompt: 'May I?',
  choices: ['No', 'Once', 'Always'],
  default: 0,
  response_url: 'https://tool.example/respond',
}
const result = { type: 'tool_result', group_id: 'g', id: 'i', text: 'Done' }

async function start(options: Partial<UserChoiceRuntimeOptions> = {}, statuses: Record<string, number> = {}) {
  const space = await createWorkspace()
  const storage = createMemoryStorage()
  const clock = createFakeClock()
  const posts = createPosts()
  Object.assign(posts.statuses, statuses)
  const warnings: ChannelWarning[] = []
  const open = () =>
    createUserChoiceRuntime({
      channel: space.channel,
      storage,
      callbackUrl: 'https://agent.example/callback?a=1',
      fetch: posts.fetch,
      clock,
      onWarning: (warning) => warnings.push(warning),
      ...options,
    })
  const runtime = await open()
  const invoke = async (more: object = {}, given: { signal?: AbortSignal } = {}) => {
    const count = posts.posted.length
    const outcome = runtime.invoke({ ...call, ...more }, given)
    outcome.catch(() => {})
    await vi.waitFor(() => expect(posts.posted.length).toBeGreaterThan(count))
    const callback = String(posts.posted[count]?.body.callback_url)
    const message = (body: object) => send(runtime.callback, body, callback)
    return { outcome, message, callback }
  }
  const choose = (label: string) => space.respond(QUESTION, { q1: picked(label) })
  const posted = (count: number) =>
    vi.waitFor(() => {
      expect(posts.posted).toHaveLength(count)
      return posts.posted[count - 1]
    })
  return { runtime, open, space, storage, clock, warnings, invoke, choose, posted, posts: posts.posted }
}

describe('a call', () => {
  it('is sent once with its own URL, and ends with the tool’s result', async () => {
    const { invoke, posts, warnings } = await start()
    const { outcome, message } = await invoke({ callId: 'c', userId: 'ada', threadAncestors: ['top'] })
    expect(posts).toEqual([
      {
        url: 'https://tool.example/invoke',
        body: {
          operation: 'write',
          arguments: { path: 'a' },
          id: 'i',
          call_id: 'c',
          callback_url: expect.stringMatching(/^https:\/\/agent\.example\/callback\?a=1&token=/),
          group_id: 'g',
          user_id: 'ada',
          thread_ancestors: ['top'],
        },
      },
    ])
    const content = [{ type: 'text', text: 'a' }]
    const display_as = [{ type: 'text', content: 'b' }]
    expect(await message({ ...result, call_id: 'c', content, display_as })).toEqual([200])
    expect(await outcome).toEqual({ text: 'Done', content, displayAs: display_as })
    expect(warnings).toEqual([])
  })

  it('leaves out what the caller did not name, and the result what the tool did not', async () => {
    const { invoke, posts } = await start()
    const { outcome, message } = await invoke()
    expect(posts[0]?.body).toMatchObject({ call_id: null, user_id: null })
    expect(posts[0]?.body).not.toHaveProperty('thread_ancestors')
    await message(result)
    expect(Object.keys(await outcome)).toEqual(['text'])
  })

  it.each([
    [404, 'Error: The tool refused this call (HTTP 404).'],
    [500, 'Error: The tool failed when it was called (HTTP 500). It may have taken it all the same'],
  ])('ends when the tool responds with %i', async (status, text) => {
    const { invoke } = await start({}, { '/invoke': status })
    const { outcome } = await invoke()
    expect((await outcome).text).toContain(text)
  })

  it('that is made twice has one result; another one under its id is refused', async () => {
    const { runtime, invoke, posts } = await start()
    const { outcome, message } = await invoke()
    const again = runtime.invoke(call)
    await expect(runtime.invoke({ ...call, arguments: {} })).rejects.toMatchObject({
      code: 'CONFLICT',
      facts: { toolCallId: 'i' },
    })
    await expect(runtime.invoke({ ...call, endpoint: 'https://tool.example/b' })).rejects.toMatchObject({
      code: 'CONFLICT',
    })
    await message(result)
    expect([await outcome, await again, await runtime.invoke(call)]).toEqual(Array(3).fill({ text: 'Done' }))
    expect(posts).toHaveLength(1)
  })

  it('is refused when it cannot be sent', async () => {
    const { runtime, posts } = await start({ maxCalls: 1 })
    const faults = [{ path: 'endpoint', expected: 'an http or https URL without a user name' }]
    for (const endpoint of ['ftp://tool.example/', 'https://ada@tool.example/', 'tool'])
      await expect(runtime.invoke({ ...call, endpoint })).rejects.toMatchObject({
        code: 'INVALID_REQUEST',
        faults,
      })
    const long = { a: 'a'.repeat(512 * 1024) }
    await expect(runtime.invoke({ ...call, arguments: long })).rejects.toMatchObject({ code: 'TOO_LARGE' })
    await expect(runtime.invoke(call, { signal: AbortSignal.abort('gone') })).rejects.toBe('gone')
    expect(posts).toEqual([])
    void runtime.invoke(call).catch(() => {})
    await vi.waitFor(() => expect(posts).toHaveLength(1))
    await expect(runtime.invoke({ ...call, id: 'j' })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      message: '1 calls are pending',
    })
  })
})

describe('a choice', () => {
  it('is asked of the user, and the tool gets the selection', async () => {
    const { invoke, choose, posted, space, clock } = await start()
    const { outcome, message } = await invoke()
    expect(await message(choice)).toEqual([200])
    expect(await space.record(QUESTION)).toMatchObject({
      runId: 'g',
      toolName: 'write',
      questions: [{ question: 'May I?' }],
    })
    expect(await message(choice)).toEqual([200])
    expect(await message({ ...choice, prompt: 'Really?' })).toEqual([409, 'CONFLICT'])
    await choose('Always')
    expect(await posted(2)).toEqual({ url: 'https://tool.example/respond', body: { id: 'i', selected: 2 } })
    await message(result)
    expect(await outcome).toEqual({ text: 'Done' })
    expect(await message(choice)).toEqual([410, 'GONE'])
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })

  it('takes its default when the time runs out', async () => {
    const { invoke, posted, posts, clock } = await start({ timeoutMs: 5000 })
    const { message } = await invoke()
    await message({ ...choice, default: 1 })
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(4999)
    expect(posts).toHaveLength(1)
    clock.advance(1)
    expect(await posted(2)).toMatchObject({ body: { selected: 1 } })
  })

  it.each([
    ['https://tool.example/elsewhere', 200],
    ['https://other.example/respond', 200],
    ['https://other.example/elsewhere', 403],
    ['http://tool.example/respond', 403],
    ['https://tool.example:444/respond', 403],
  ])('is sent to the tool’s own origin, or where that is allowed: %s', async (response_url, status) => {
    const { invoke } = await start({ responseUrls: ['https://other.example/respond'] })
    const { message } = await invoke()
    expect((await message({ ...choice, response_url }))[0]).toBe(status)
  })

  it('that the tool refuses is a warning, and the call fails after a while', async () => {
    const { invoke, choose, warnings, clock } = await start({ refusalTimeoutMs: 5000 }, { '/respond': 410 })
    const { outcome, message } = await invoke()
    await message(choice)
    await choose('Once')
    await vi.waitFor(() => expect(warnings).toHaveLength(1))
    expect(warnings).toEqual([
      { code: 'REFUSED', message: "The tool refused the user's selection (HTTP 410)", toolCallId: 'i' },
    ])
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(5000)
    expect(await outcome).toEqual(FAILED)
  })
})

describe('a message', () => {
  it('for an unknown call, or about another one, is refused', async () => {
    const { runtime, invoke, warnings } = await start()
    const { message, callback } = await invoke()
    expect(await send(runtime.callback, result, `${callback}x`)).toEqual([404, 'NOT_FOUND'])
    expect(await send(runtime.callback, result)).toEqual([404, 'NOT_FOUND'])
    expect(warnings).toEqual([])
    expect(await message({ ...result, id: 'j' })).toEqual([404, 'NOT_FOUND'])
    expect(warnings).toEqual([
      {
        code: 'NOT_FOUND',
        message: 'A message of the tool was refused: This message is about another call',
        toolCallId: 'i',
      },
    ])
  })

  it('that is refused gives the tool a while to end its call', async () => {
    const { invoke, clock } = await start({ refusalTimeoutMs: 5000 })
    const { outcome, message } = await invoke()
    expect((await message({ ...result, id: 'j' }))[0]).toBe(404)
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(4999)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    expect(await outcome).toEqual(FAILED)
  })

  it('with the result may come twice, but not with another one', async () => {
    const { invoke } = await start()
    const { message } = await invoke()
    expect([await message(result), await message(result), await message({ ...result, text: 'b' })]).toEqual([
      [200],
      [200],
      [409, 'CONFLICT'],
    ])
  })
})

describe('a caller that does not wait any more', () => {
  it('withdraws the question, and the tool gets the default', async () => {
    const { invoke, posted, space } = await start()
    const stop = new AbortController()
    const { outcome, message } = await invoke({}, { signal: stop.signal })
    await message({ ...choice, default: 1 })
    stop.abort('gone')
    await expect(outcome).rejects.toBe('gone')
    expect(await posted(2)).toMatchObject({ body: { id: 'i', selected: 1 } })
    expect(await space.record(QUESTION)).toMatchObject({ state: 'aborted' })
    expect(await message(result)).toEqual([200])
  })

  it('asks nobody when the choice comes later', async () => {
    const { invoke, posted, space, storage } = await start()
    const stop = new AbortController()
    const { message } = await invoke({}, { signal: stop.signal })
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('"at":"waiting"'))
    stop.abort('gone')
    await vi.waitFor(() => expect([...storage.files.values()].join()).toContain('"dismissed":true'))
    expect(await message({ ...choice, default: 2 })).toEqual([200])
    expect(await posted(2)).toMatchObject({ body: { selected: 2 } })
    expect(await space.host.questions()).toEqual([])
  })
})

describe('a runtime that is closed', () => {
  it.each(['read', 'writeAtomic'] as const)('sends no call that it was taking: %s', async (name) => {
    const storage = createMemoryStorage()
    const whole = storage[name] as (...parts: string[]) => Promise<never>
    const { runtime, posts } = await start({ storage })
    storage[name] = async (...parts: string[]) => {
      await runtime.close()
      return whole(...parts)
    }
    await expect(runtime.invoke(call)).rejects.toMatchObject({
      code: 'GONE',
      message: 'The runtime is closed',
    })
    expect(posts).toEqual([])
    expect(storage.files.size).toBe(name === 'read' ? 0 : 1)
  })

  it('takes nothing, and leaves its calls and questions to the next one', async () => {
    const { runtime, open, invoke, choose, posted, space, clock } = await start()
    const { outcome, message, callback } = await invoke()
    await message(choice)
    await runtime.close()
    await expect(outcome).rejects.toMatchObject({
      code: 'GONE',
      message: 'The runtime was closed; the call is pending',
    })
    await expect(runtime.invoke(call)).rejects.toMatchObject({
      code: 'GONE',
      message: 'The runtime is closed',
    })
    expect(await message(result)).toEqual([500, 'INTERNAL'])
    expect(clock.pending()).toBe(0)
    expect(await space.record(QUESTION)).toMatchObject({ state: 'open' })

    const next = await open()
    const again = next.invoke(call)
    await choose('Once')
    expect(await posted(2)).toMatchObject({ body: { id: 'i', selected: 1 } })
    expect(await send(next.callback, result, callback)).toEqual([200])
    expect(await again).toEqual({ text: 'Done' })
    await next.close()
  })
})
