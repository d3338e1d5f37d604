import { setImmediate as turn } from 'node:timers/promises'
import type { HostQuestions } from '@sandagent/core/store'
import { createLocalFiles } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { parkedFacade } from '../../src/park/parked-facade.ts'
import { parkedPlace } from '../../src/park/parked-place.ts'
import { parkedQuestions } from '../../src/park/parked-questions.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const ASLEEP = { state: 'asleep' as const, processes: ['p'], deadline: null }

async function placed() {
  const sandbox = await tempSandbox()
  const records = createLocalFiles(await tempDir())
  const onWanted = () => void place.move(async () => null)
  const copy = createLocalFiles(await tempDir())
  const place = await parkedPlace(sandbox, {
    records,
    copy,
    onWanted,
    clock: createFakeClock(),
    wakeBeforeMs: 0,
  })
  return {
    sandbox,
    place,
    sleep: () => place.move(async () => ASLEEP),
    wake: () => place.move(async () => null),
  }
}

/** A store that only notes who was asked what. */
function noting(name: string, log: unknown[]): HostQuestions {
  const note =
    (call: string) =>
    async (...given: unknown[]): Promise<never> => {
      log.push([name, call, ...given])
      return name as never
    }
  const calls = ['read', 'latest', 'list', 'withoutRecord', 'writeAnswer', 'persist']
  return {
    ...Object.fromEntries(calls.map((call) => [call, note(call)])),
    async *subscribe(signal: AbortSignal, options?: object) {
      log.push([name, 'subscribe', options])
      yield [{ toolCallId: name, record: null, answer: null }]
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  } as unknown as HostQuestions
}

describe('the store of a parked sandbox', () => {
  it('passes each call to the store in force, with what it was given', async () => {
    const { place, sleep } = await placed()
    const log: unknown[] = []
    const store = parkedQuestions(place, noting('near', log), noting('copy', log))
    for (const name of ['near', 'copy']) {
      if (name === 'copy') await sleep()
      log.length = 0
      const [given, candidates] = [{ unsettled: true }, {}]
      const values = [
        await store.read(['q'], candidates),
        await store.latest?.('q'),
        await store.list(given),
        await store.withoutRecord?.(candidates),
        await store.writeAnswer('q', 'answer', 'options' as never),
      ]
      await store.persist?.()
      expect(values).toEqual(Array(5).fill(name))
      expect(log).toEqual([
        [name, 'read', ['q'], candidates],
        [name, 'latest', 'q'],
        [name, 'list', given],
        [name, 'withoutRecord', candidates],
        [name, 'writeAnswer', 'q', 'answer', 'options'],
        [name, 'persist'],
      ])
    }
  })

  it('has no older questions, and knows nothing, where a store cannot say', async () => {
    const { place } = await placed()
    const store = parkedQuestions(place, {} as HostQuestions, {} as HostQuestions)
    expect([await store.withoutRecord?.({}), await store.latest?.('q')]).toEqual([[], null])
    await store.persist?.()
  })

  it('follows the store in force, until the signal aborts', async () => {
    const { place, sleep, wake } = await placed()
    const log: unknown[] = []
    const store = parkedQuestions(place, noting('near', log), noting('copy', log))
    const stop = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const changed of store.subscribe(stop.signal, { toolCallId: 'q' }))
        seen.push(...changed.map(({ toolCallId }) => toolCallId))
    })()
    await vi.waitFor(() => expect(seen).toEqual(['near']))
    await sleep()
    await vi.waitFor(() => expect(seen).toEqual(['near', 'copy']))
    await wake()
    await vi.waitFor(() => expect(seen).toEqual(['near', 'copy', 'near']))
    stop.abort()
    await following
    await sleep()
    expect(log).toEqual(['near', 'copy', 'near'].map((name) => [name, 'subscribe', { toolCallId: 'q' }]))
  })
})

describe('the programs of a parked sandbox', () => {
  it('count as running while the sandbox sleeps, if they ran before', async () => {
    const { sandbox, place, sleep } = await placed()
    const { detached, workdir, stateFolder } = parkedFacade(sandbox, place)
    expect([workdir, stateFolder]).toEqual([sandbox.workdir, sandbox.stateFolder])
    expect(await detached.isRunning('p')).toBe(false)
    await sleep()
    expect([await detached.isRunning('p'), await detached.isRunning('other')]).toEqual([true, false])
    expect(place.phase()).toBe('asleep')
  })

  it.each(['interrupt', 'kill'] as const)('wake the sandbox for %s', async (name) => {
    const { sandbox, place, sleep } = await placed()
    const call = vi.fn(async () => {})
    Object.assign(sandbox.detached, { [name]: call })
    await sleep()
    await parkedFacade(sandbox, place).detached[name]('h')
    expect(call).toHaveBeenCalledWith('h')
    expect(place.phase()).toBe('awake')
  })

  it('are waited for in the sandbox alone, also after it slept', async () => {
    const { sandbox, place, sleep, wake } = await placed()
    const log: string[] = []
    let end = (): void => {}
    sandbox.detached.until = (_, { signal }) => {
      log.push('begins')
      return new Promise((resolve) => {
        end = resolve
        signal.addEventListener('abort', () => resolve())
      })
    }
    const { until } = parkedFacade(sandbox, place).detached
    const { signal } = new AbortController()
    let isOver = false
    const waiting = until?.('h', { files: [], bytes: 0, signal }).then(() => (isOver = true))
    await vi.waitFor(() => expect(log).toHaveLength(1))
    await sleep()
    await turn()
    expect([log.length, isOver]).toEqual([1, false])
    await wake()
    await vi.waitFor(() => expect(log).toHaveLength(2))
    expect(isOver).toBe(false)
    end()
    await waiting
    expect(log).toHaveLength(2)
    await until?.('h', { files: [], bytes: 0, signal: AbortSignal.abort() })
    expect(log).toHaveLength(2)
  })

  it('that end while the sandbox sleeps have ended once it is awake', async () => {
    const { sandbox, place, sleep, wake } = await placed()
    let end = (_: object): void => {}
    const ended = new Promise((resolve) => {
      end = resolve
    })
    const start = vi.fn(async () => ({ handle: 'h', ended }))
    Object.assign(sandbox.detached, { start })
    const outputs = { stdout: 'o', stderr: 'e' }
    const program = await parkedFacade(sandbox, place).detached.start('x', ['1'], outputs)
    expect(start).toHaveBeenCalledWith('x', ['1'], outputs)
    expect(program.handle).toBe('h')
    let isOver = false
    const over = program.ended.then((value) => {
      isOver = true
      return value
    })
    await sleep()
    end({ exitCode: 1, signal: null })
    await turn()
    expect(isOver).toBe(false)
    await wake()
    expect(await over).toEqual({ exitCode: 1, signal: null })
  })
})

describe('a parked sandbox with a store', () => {
  it('knows the keys and the end of a run from there, and from the copy while it sleeps', async () => {
    const { sandbox, place, sleep } = await placed()
    const log: unknown[] = []
    const runs = { keyIds: async () => ['k'] }
    const own = parkedFacade(Object.assign(sandbox, { questions: noting('near', log), runs }), place)
    expect(await own.runs?.keyIds('r')).toEqual(['k'])
    expect(await own.questions?.read(['q'])).toBe('near')
    const asked = openRecord('q', { process: `1 1 ${'gone'}` })
    expect(await own.runs?.hasEnded?.(asked)).toBe(false)
    await sleep()
    expect(await own.runs?.keyIds('r')).toBeUndefined()
    expect(await own.questions?.list()).toEqual([])
    expect(place.phase()).toBe('asleep')
  })

  it('has none if the sandbox has none', async () => {
    const { sandbox, place } = await placed()
    expect(parkedFacade(sandbox, place)).not.toHaveProperty('questions')
  })
})
