import { getEventListeners } from 'node:events'
import { createLocalFiles } from '@sandagent/files'
import { listQuestions } from '@sandagent/sdk'
import { createFakeClock } from '@sandagent/testing'
import type { UserChoiceStorage } from '@sandagent/user-choice'
import { describe, expect, it, vi } from 'vitest'
import { arrived, post, tempFolder } from '../support/user-choice/user-choice.ts'
import { callOf, invoke, open, resultOf } from '../support/user-choice/user-choice-runtime.ts'
import * as toolSide from '../support/user-choice/user-choice-tool.ts'

/** How many listeners wait for this signal. */
const listeners = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length

/** The records in a folder, without the temporary files of writes that go on. */
const recordsIn = async (storage: UserChoiceStorage, folder: string): Promise<string[]> =>
  (await storage.list(folder)).filter((name) => name.endsWith('.json'))

describe('records of calls that ended', () => {
  it('go a day later while the runtime goes on, and those of pending calls stay', async () => {
    const [storage, clock] = [createLocalFiles(await tempFolder()), createFakeClock()]
    const { agent, server } = await open({ storage, clock })
    const { callbackUrl, result } = await invoke(agent, server)
    await post(callbackUrl, resultOf())
    await result
    await invoke(agent, server, { id: 'pending' })
    clock.advance(23 * 60 * 60_000)
    await invoke(agent, server, { id: 'call_3' })
    expect(await recordsIn(storage, 'runtime-calls')).toHaveLength(3)
    clock.advance(2 * 60 * 60_000)
    await invoke(agent, server, { id: 'call_4' })
    expect(await recordsIn(storage, 'runtime-calls')).toHaveLength(3)
  })

  it('go a day later while the tool goes on', async () => {
    const [storage, clock] = [createLocalFiles(await tempFolder()), createFakeClock()]
    const operations = { write: { confirm: () => null, perform: () => 'Done' } }
    const { agent, server } = await toolSide.open({ storage, clock, operations })
    await post(server.endpoint, toolSide.invocation(agent))
    await arrived(agent, '/callback', 1)
    await vi.waitFor(async () => {
      const [file] = await recordsIn(storage, 'tool-calls')
      expect(await storage.read(`tool-calls/${file}`)).toContain('endedAt')
    })
    clock.advance(25 * 60 * 60_000)
    await post(server.endpoint, toolSide.invocation(agent, { id: 'call_2' }))
    expect(await recordsIn(storage, 'tool-calls')).toHaveLength(1)
  })
})

describe('a caller of invoke', () => {
  it('adds one listener to its signal however often it repeats a call, and none stays after the result', async () => {
    const { agent, server } = await open()
    const { signal } = new AbortController()
    const { callbackUrl } = await invoke(agent, server)
    const repeated = Array.from({ length: 100 }, () => agent.runtime.invoke(callOf(server), { signal }))
    await agent.runtime
      .invoke(callOf(server, { id: 'other' }), { signal: AbortSignal.timeout(1) })
      .catch(() => {})
    await vi.waitFor(() => expect(listeners(signal)).toBe(1))
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
