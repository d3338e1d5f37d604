import { createLocalFiles } from '@sandagent/files'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { arrived, openRuntime, pick, post, tempFolder } from '../support/user-choice/user-choice.ts'
import {
  ask,
  callOf,
  choiceOf,
  invoke,
  isPending,
  open,
  resultOf,
} from '../support/user-choice/user-choice-runtime.ts'

const FAILED = { text: 'Error: User choice flow failed. Please try again.' }

describe('a message that the runtime refuses', () => {
  it.each<[string, object, number, string]>([
    ['with a response URL elsewhere', { response_url: 'http://127.0.0.1:1/respond' }, 403, 'FORBIDDEN'],
    ['without choices', { choices: [] }, 400, 'INVALID_QUESTIONS'],
    ['with a default that is no index', { default: 3 }, 400, 'INVALID_QUESTIONS'],
    ['of another conversation', { group_id: 'thread_2' }, 404, 'NOT_FOUND'],
    ['of an unknown type', { type: 'unknown' }, 400, 'INVALID_REQUEST'],
  ])('is reported, and its call fails after a minute: one %s', async (_, wrong, status, code) => {
    const clock = createFakeClock()
    const { agent, server } = await open({ clock })
    const { callbackUrl, result } = await invoke(agent, server)
    expect(await post(callbackUrl, choiceOf(server, wrong))).toBe(status)
    expect(agent.warnings).toMatchObject([{ code, toolCallId: 'call_abc123' }])
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(59_000)
    expect(await isPending(result)).toBe(true)
    clock.advance(1000)
    expect(await result).toEqual(FAILED)
    expect(clock.pending()).toBe(0)
  })

  it('fails its call at the time that the runtime was given, also after a restart', async () => {
    const [storage, workdir, clock] = [
      createLocalFiles(await tempFolder()),
      await tempFolder(),
      createFakeClock(),
    ]
    const { server } = await open()
    const first = await openRuntime({ storage, clock, refusalTimeoutMs: 5000 }, { workdir })
    const { callbackUrl } = await invoke(first, server)
    expect(await post(callbackUrl, choiceOf(server, { choices: [] }))).toBe(400)
    await first.runtime.close()
    expect(clock.pending()).toBe(0)
    const second = await openRuntime({ storage, clock }, { workdir })
    const result = second.runtime.invoke(callOf(server))
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(5000)
    expect(await result).toEqual(FAILED)
  })

  it('does not end a call whose tool then sends a choice that can be taken', async () => {
    const clock = createFakeClock()
    const { agent, server } = await open({ clock })
    const { callbackUrl, result } = await invoke(agent, server)
    await post(callbackUrl, choiceOf(server, { choices: [] }))
    expect(await post(callbackUrl, choiceOf(server))).toBe(200)
    clock.advance(24 * 60 * 60_000)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await arrived(server, '/respond', 1)
    expect(await isPending(result)).toBe(true)
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await result).toEqual({ text: 'Written.' })
  })

  it('does not end a call while its user chooses', async () => {
    const clock = createFakeClock()
    const { agent, server, callbackUrl, result } = await ask({ clock })
    expect(await post(callbackUrl, choiceOf(server, { default: 0 }))).toBe(409)
    expect(agent.warnings).toMatchObject([{ code: 'CONFLICT' }])
    clock.advance(24 * 60 * 60_000)
    expect(await isPending(result)).toBe(true)
  })

  it('is reported when its call has ended', async () => {
    const { agent, server, callbackUrl } = await ask()
    await post(callbackUrl, resultOf())
    expect(await post(callbackUrl, choiceOf(server))).toBe(410)
    expect(agent.warnings).toMatchObject([{ code: 'GONE', toolCallId: 'call_abc123' }])
  })
})

describe('a selection that the tool refuses', () => {
  it.each([400, 404, 410])('with %i is reported, and the call fails after a minute', async (status) => {
    const clock = createFakeClock()
    const { agent, server, result } = await ask({ clock })
    server.fail('/respond', status)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await vi.waitFor(() => expect(agent.warnings).toMatchObject([{ code: 'REFUSED' }]))
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    clock.advance(60_000)
    expect(await result).toEqual(FAILED)
    expect(server.arrivals('/respond')).toHaveLength(1)
  })

  it('leaves its call to the tool, which may still send a result', async () => {
    const clock = createFakeClock()
    const { agent, server, result, callbackUrl } = await ask({ clock })
    server.fail('/respond', 400)
    await pick(agent.sandbox, 'call_abc123', 'Yes once')
    await vi.waitFor(() => expect(clock.pending()).toBe(1))
    expect(await post(callbackUrl, resultOf({ text: 'Error: No such choice.' }))).toBe(200)
    expect(await result).toEqual({ text: 'Error: No such choice.' })
    await vi.waitFor(() => expect(clock.pending()).toBe(0))
  })
})

describe('messages of other pages of the protocol', () => {
  it.each([
    ['view_update', { view_type: 'diff', content: {} }, []],
    ['subscription_event', { tool_call_id: 'call_abc123', text: '{}' }, []],
    ['oauth', { id: 'call_abc123', auth_url: 'https://auth.example.com' }, [{ code: 'IGNORED' }]],
  ])('are accepted and passed over: %s', async (type, more, warnings) => {
    const { agent, server } = await open()
    const { callbackUrl, result } = await invoke(agent, server)
    expect(await post(callbackUrl, { type, group_id: 'thread_xyz', ...more })).toBe(200)
    expect(await post(callbackUrl, { type, group_id: 'thread_2', ...more })).toBe(404)
    expect(agent.warnings.slice(0, warnings.length)).toMatchObject(warnings)
    expect(await isPending(result)).toBe(true)
    expect(await post(callbackUrl, resultOf())).toBe(200)
    expect(await result).toEqual({ text: 'Written.' })
    expect(await post(callbackUrl, { type, group_id: 'thread_xyz', ...more })).toBe(200)
  })
})
