import { setImmediate as turn } from 'node:timers/promises'
import type { HostChannel, QuestionState } from '@sandagent/core'
import { createLocalFiles } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { parkedChannel } from '../../src/park/parked-channel.ts'
import { parkedFacade } from '../../src/park/parked-facade.ts'
import { parkedPlace } from '../../src/park/parked-place.ts'
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

/** A channel that only notes who was asked what. */
function noting(name: string, log: unknown[]): HostChannel {
  const note =
    (call: string) =>
    async (...given: unknown[]): Promise<never> => {
      log.push([name, call, ...given])
      return name as never
    }
  const calls = ['questions', 'states', 'read', 'known', 'olderQuestions', 'write', 'persist']
  return {
    ...Object.fromEntries(calls.map((call) => [call, note(call)])),
    async *subscribe(signal: AbortSignal, toolCallId?: string) {
      log.push([name, 'subscribe', toolCallId])
      yield { toolCallId: name } as QuestionState
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    },
  } as unknown as HostChannel
}

describe('the channel of a parked sandbox', () => {
  it('passes each call to the channel in force, with what it was given', async () => {
    const { place, sleep } = await placed()
    const log: unknown[] = []
    const channel = parkedChannel(place, noting('near', log), noting('copy', log))
    for (const name of ['near', 'copy']) {
      if (name === 'copy') await sleep()
      log.length = 0
      const given = { unsettled: true }
      const values = [
        await channel.questions(given),
        await channel.states(['record'] as never),
        await channel.read('q'),
        await channel.known?.('q'),
        await channel.olderQuestions?.(),
        await channel.write('answer' as never, 'options' as never),
      ]
      await channel.persist?.('q')
      expect(values).toEqual(Array(6).fill(name))
      expect(log).toEqual([
        [name, 'questions', given],
        [name, 'states', ['record']],
        [name, 'read', 'q'],
        [name, 'known', 'q'],
        [name, 'olderQuestions'],
        [name, 'write', 'answer', 'options'],
        [name, 'persist', 'q'],
      ])
    }
  })

  it('has no older questions, and knows nothing, where a channel cannot say', async () => {
    const { place } = await placed()
    const channel = parkedChannel(place, {} as HostChannel, {} as HostChannel)
    expect([await channel.olderQuestions?.(), await channel.known?.('q')]).toEqual([[], null])
    await channel.persist?.('q')
  })

  it('follows the channel in force, until the signal aborts', async () => {
    const { place, sleep, wake } = await placed()
    const log: unknown[] = []
    const channel = parkedChannel(place, noting('near', log), noting('copy', log))
    const stop = new AbortController()
    const seen: string[] = []
    const following = (async () => {
      for await (const { toolCallId } of channel.subscribe(stop.signal, 'q')) seen.push(toolCallId)
    })()
    await vi.waitFor(() => expect(seen).toEqual(['near']))
    await sleep()
    await vi.waitFor(() => expect(seen).toEqual(['near', 'copy']))
    await wake()
    await vi.waitFor(() => expect(seen).toEqual(['near', 'copy', 'near']))
    stop.abort()
    await following
    await sleep()
    expect(log).toEqual(['near', 'copy', 'near'].map((name) => [name, 'subscribe', 'q']))
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

describe('a parked sandbox with a channel of its own', () => {
  it('knows the keys of a run from its channel, and from the copy while it sleeps', async () => {
    const { sandbox, place, sleep } = await placed()
    const log: unknown[] = []
    const create = vi.fn(() => noting('near', log))
    const ownChannel = { keysOfRun: async () => ['k'], create }
    const own = parkedFacade(Object.assign(sandbox, { ownChannel }), place).ownChannel
    expect(await own?.keysOfRun('r')).toEqual(['k'])
    const publicKeys = async () => null
    const onWarning = () => {}
    const authenticate = async (given: unknown) => given
    const clock = createFakeClock()
    const host = own?.create({ publicKeys, onWarning, authenticate, clock } as never)
    expect(create).toHaveBeenCalledWith({ publicKeys, onWarning, authenticate, clock })
    expect(await host?.read('q')).toBe('near')
    await sleep()
    expect(await own?.keysOfRun('r')).toBeUndefined()
    expect(await host?.questions()).toEqual([])
    expect(place.phase()).toBe('asleep')
  })

  it('has none if the sandbox has none', async () => {
    const { sandbox, place } = await placed()
    expect(parkedFacade(sandbox, place).ownChannel).toBeUndefined()
  })
})
