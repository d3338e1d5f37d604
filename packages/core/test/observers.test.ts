import { afterEach, describe, expect, it } from 'vitest'
import {
  addObserver,
  beginOperation,
  type Observer,
  observed,
  offerCounts,
  reportIncident,
} from '../src/internal.ts'
import { isObserved } from '../src/observers.ts'

const ends: (() => void)[] = []
const add = (observer: Observer): void => void ends.push(addObserver(observer))
const run = { name: 'run', runId: 'run_1' } as const

afterEach(() => {
  for (const end of ends.splice(0)) end()
  expect(isObserved()).toBe(false)
})

describe('observers', () => {
  it('nothing is observed without them', () => {
    expect(beginOperation(run)).toBeUndefined()
    reportIncident({ name: 'forgery', code: 'UNSIGNED', toolCallId: 'call_1' })
    offerCounts(async () => ({ open: 0, unread: 0, oldestAskedAt: null }))()
  })

  it('are known to other copies of this module, of whatever version, by one name', () => {
    const registry = globalThis as { [key: symbol]: Set<Observer> | undefined }
    const observer: Observer = {}
    add(observer)
    expect(registry[Symbol.for('sandagent.observers')]?.has(observer)).toBe(true)
  })

  it('the first traceparent counts, and the contexts lie in each other', () => {
    const seen: string[] = []
    const inside = (name: string) =>
      function within<T>(part: () => T): T {
        seen.push(name)
        return part()
      }
    add({ begin: () => undefined })
    add({ begin: () => ({ within: inside('outer') }) })
    add({ begin: () => ({ traceparent: 'first', within: inside('inner') }) })
    add({ begin: () => ({ traceparent: 'second' }) })
    const observation = beginOperation(run)
    expect(observation?.traceparent).toBe('first')
    expect(observation?.within?.(() => seen.concat('part'))).toEqual(['outer', 'inner', 'part'])
  })

  it('an operation ends once, with its result or its error', async () => {
    const endings: object[] = []
    add({ begin: () => ({ end: (ending) => void endings.push(ending) }) })
    const stored = { status: 'pending' } as const
    await expect(
      observed(
        beginOperation(run),
        async () => stored,
        (result) => ({ stored: result }),
      ),
    ).resolves.toBe(stored)
    const error = new Error('failed')
    await expect(observed(beginOperation(run), () => Promise.reject(error))).rejects.toBe(error)
    expect(endings).toEqual([{ stored }, { error }])
  })

  it('a faulty observer keeps nobody from working, and hides nothing from the others', async () => {
    const seen: string[] = []
    const fail = (): never => {
      throw new Error('faulty')
    }
    add({ begin: fail, incident: fail, counts: fail })
    add({ begin: () => ({ progress: fail, end: fail }) })
    add({
      begin: () => ({ progress: ({ name }) => void seen.push(name), end: () => void seen.push('end') }),
      incident: ({ name }) => void seen.push(name),
      counts: () => () => seen.push('counted'),
    })
    const observation = beginOperation(run)
    observation?.progress?.({ name: 'found', record: undefined })
    expect(await observed(observation, async () => 1)).toBe(1)
    reportIncident({ name: 'request-refused', code: 'CROSS_SITE' })
    offerCounts(async () => ({ open: 0, unread: 0, oldestAskedAt: null }))()
    expect(seen).toEqual(['found', 'end', 'request-refused', 'counted'])
  })
})
