import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { post } from '../support/user-choice/user-choice.ts'
import { choiceOf, FAILED, invocation, open, resultAfter } from '../support/user-choice/user-choice-tool.ts'

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

it('a choice that nobody makes in time fails, and is no choice any more', async () => {
  const clock = createFakeClock()
  const { agent, server } = await open({ clock, timeoutMs: 60_000 })
  const { response_url } = await choiceOf(agent, server)
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  clock.advance(60_000)
  expect(await resultAfter(agent, 1)).toBe(FAILED)
  expect(await post(response_url, { id: 'call_abc123', selected: 1 })).toBe(410)
})

it('a response URL that others can read is refused, and named', async () => {
  await expect(open({ responseUrl: 'http://tool.example.com/respond' })).rejects.toMatchObject({
    code: 'INVALID_REQUEST',
    faults: [{ path: 'responseUrl', expected: 'https, or a host of an internal network' }],
  })
})

it('leaves no timer behind when it is closed', async () => {
  const clock = createFakeClock()
  const { agent, server } = await open({ clock })
  await choiceOf(agent, server)
  await vi.waitFor(() => expect(clock.pending()).toBe(1))
  await server.tool.close()
  expect(clock.pending()).toBe(0)
})
