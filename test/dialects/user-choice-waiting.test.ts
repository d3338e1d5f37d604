import { getEventListeners } from 'node:events'
import { listQuestions } from '@sandagent/sdk'
import { describe, expect, it } from 'vitest'
import { post } from '../support/user-choice.ts'
import { callOf, invoke, open, resultOf } from '../support/user-choice-runtime.ts'

/** How many listeners wait for this signal. */
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

describe('a caller of invoke', () => {
  it('adds one listener to its signal however often it repeats a call, and none stays after the result', async () => {
    const { agent, server } = await open()
    const { signal } = new AbortController()
    const { callbackUrl } = await invoke(agent, server)
    const repeated = Array.from({ length: 100 }, () => agent.runtime.invoke(callOf(server), { signal }))
    await agent.runtime
      .invoke(callOf(server, { id: 'other' }), { signal: AbortSignal.timeout(1) })
      .catch(() => {})
    expect(listeners(signal)).toBe(1)
    await post(callbackUrl, resultOf())
    for (const result of await Promise.all(repeated)) expect(result).toEqual({ text: 'Written.' })
    expect(listeners(signal)).toBe(0)
  })

  it('leaves no listener after its signal aborts', async () => {
    const { agent, server } = await open()
    await invoke(agent, server)
    const controller = new AbortController()
    const repeated = [1, 2, 3].map(() => agent.runtime.invoke(callOf(server), { signal: controller.signal }))
    const ended = Promise.allSettled(repeated)
    await listQuestions(agent.sandbox)
    controller.abort(new Error('stopped'))
    expect((await ended).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    expect(listeners(controller.signal)).toBe(0)
  })

  it('is refused when too many calls are pending, and not once one of them has ended', async () => {
    const { agent, server } = await open({ maxCalls: 2 })
    const { callbackUrl, result } = await invoke(agent, server)
    await invoke(agent, server, { id: 'call_2' })
    await expect(agent.runtime.invoke(callOf(server, { id: 'call_3' }))).rejects.toMatchObject({
      code: 'RATE_LIMITED',
    })
    expect(server.arrivals('/invoke')).toHaveLength(2)
    await post(callbackUrl, resultOf())
    await result
    await invoke(agent, server, { id: 'call_3' })
  })

  it('tells a tool which conversations its own comes from', async () => {
    const { agent, server } = await open()
    await invoke(agent, server, { threadAncestors: ['root', 'parent'] })
    expect(server.arrivals('/invoke')[0]?.body.thread_ancestors).toEqual(['root', 'parent'])
  })
})
