import { AskError } from '@sandagent/core'
import { createFakeClock, createMemoryChannel } from '@sandagent/testing'
import { describe, expect, it } from 'vitest'
import {
  hasRuns,
  type InboxSandbox,
  inboxPlaceOf,
  inEach,
  patiently,
  sandboxesOf,
  unreachableOf,
} from '../src/inbox-sandbox.ts'
import { refusalOf, tempSandbox } from './support/temp-sandbox.ts'

const entry = (id: string): InboxSandbox => ({
  id,
  name: `The ${id}`,
  sandbox: createMemoryChannel().sandbox,
})

describe('the sandboxes of an inbox', () => {
  it('are a list, or what a function gives', async () => {
    const list = [entry('one'), entry('two')]
    expect(await sandboxesOf(list)).toBe(list)
    expect(await sandboxesOf(() => list)).toBe(list)
    expect(await sandboxesOf(async () => list)).toBe(list)
    expect(await sandboxesOf([])).toEqual([])
  })

  it('have ids of their own: the second of one id is a fault', async () => {
    const list = [entry('one'), entry('two'), entry('one'), entry('two')]
    expect(await refusalOf(sandboxesOf(list))).toMatchObject({
      code: 'INVALID_REQUEST',
      faults: [{ path: '2.id', expected: 'an id that no other sandbox has' }],
    })
  })

  it('have runs if programs can go on there, and logs be read from a place on', async () => {
    const local = await tempSandbox()
    expect(hasRuns(local)).toBe(true)
    expect(hasRuns({ files: local.files })).toBe(false)
    expect(hasRuns({ ...entry('one').sandbox, detached: local.detached })).toBe(false)
    expect(hasRuns(entry('one').sandbox)).toBe(false)
  })

  it('are named by id and name', () => {
    expect(inboxPlaceOf(entry('one'))).toEqual({ sandboxId: 'one', sandboxName: 'The one' })
  })

  it('are out of reach with the code and the message of the failure', () => {
    const place = { sandboxId: 'one', sandboxName: 'The one' }
    const reasons = [new AskError('INVALID_FILE', 'It is broken'), new Error('It is away'), 'gone']
    expect(reasons.map((reason) => unreachableOf(entry('one'), reason))).toEqual([
      { ...place, code: 'INVALID_FILE', message: 'It is broken' },
      { ...place, code: 'UNREACHABLE', message: 'It is away' },
      { ...place, code: 'UNREACHABLE', message: 'gone' },
    ])
  })
})

describe('the patience for work', () => {
  it('ends with the work', async () => {
    const clock = createFakeClock()
    expect(await patiently(async () => 'done', { clock, patienceMs: 2500 })).toBe('done')
    const failing = patiently(() => Promise.reject(new Error('It is away')), { clock, patienceMs: 2500 })
    await expect(failing).rejects.toThrow('It is away')
    expect(clock.pending()).toBe(0)
  })

  it('ends at its time', async () => {
    const clock = createFakeClock()
    const late = refusalOf(patiently(() => new Promise(() => {}), { clock, patienceMs: 2500 }))
    clock.advance(2499)
    expect(clock.pending()).toBe(1)
    clock.advance(1)
    expect(await late).toMatchObject({
      code: 'UNREACHABLE',
      message: 'It has not replied within 2.5 s',
    })
    expect(clock.pending()).toBe(0)
  })

  it('is one of each sandbox: one that fails or is late affects no other one', async () => {
    const clock = createFakeClock()
    const work = async ({ id }: InboxSandbox): Promise<string> => {
      if (id === 'fails') throw new Error('It is away')
      return id === 'late' ? new Promise<string>(() => {}) : id
    }
    const all = ['fails', 'one', 'late', 'two'].map(entry)
    const done = inEach(all, work, { clock, patienceMs: 1000 })
    clock.advance(1000)
    const { results, unreachable } = await done
    expect(results).toEqual(['one', 'two'])
    expect(unreachable).toMatchObject([
      { sandboxId: 'fails', message: 'It is away' },
      { sandboxId: 'late', message: 'It has not replied within 1 s' },
    ])
  })
})
