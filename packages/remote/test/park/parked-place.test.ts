import { setImmediate as turn } from 'node:timers/promises'
import { createLocalFiles } from '@sandagent/files/internal'
import { tempDir } from '@sandagent/fixtures/temp-dir.ts'
import { createFakeClock } from '@sandagent/testing'
import { describe, expect, it, vi } from 'vitest'
import { parkedPlace, untilMove } from '../../src/park/parked-place.ts'
import { tempSandbox } from '../support/temp-sandbox.ts'

const ASLEEP = { state: 'asleep' as const, processes: ['p'], deadline: 7 }
const GONE = { state: 'gone' as const, processes: [], deadline: null }

async function placed() {
  const sandbox = await tempSandbox()
  const records = createLocalFiles(await tempDir())
  const copy = createLocalFiles(await tempDir())
  const clock = createFakeClock()
  const onWanted = vi.fn()
  const open = () => parkedPlace(sandbox, { records, copy, onWanted, clock, wakeBeforeMs: 1000 })
  return { sandbox, records, copy, clock, onWanted, place: await open(), open }
}

describe('the place of a parked sandbox', () => {
  it('is the sandbox while it is awake, and the copy while it sleeps', async () => {
    const { place, sandbox, copy, onWanted } = await placed()
    const moved = vi.fn()
    const stop = place.onMove(moved)
    await sandbox.files.writeAtomic('f', 'near')
    await copy.writeAtomic('f', 'copied')
    const found = async () => [
      place.phase(),
      place.isAwake(),
      await place.use((files) => files.read('f')),
      await place.now().read('f'),
      await place.ifAwake(async () => 'awake'),
      place.isParked('p'),
      place.isParked('other'),
    ]
    expect(await found()).toEqual(['awake', true, 'near', 'near', { value: 'awake' }, false, false])
    await place.move(async () => ASLEEP)
    expect(await found()).toEqual(['asleep', false, 'copied', 'copied', null, true, false])
    await place.move(async () => ({ ...ASLEEP, state: 'restarting' as const }))
    expect(await found()).toEqual(['awake', true, 'near', 'near', { value: 'awake' }, false, false])
    expect(moved).toHaveBeenCalledTimes(2)
    stop()
    await place.move(async () => ASLEEP)
    expect(moved).toHaveBeenCalledTimes(2)
    expect(onWanted).not.toHaveBeenCalled()
  })

  it('is due when it sleeps although a deadline is near, or over', async () => {
    const { place, clock } = await placed()
    const dueFor = async (deadline: number | null, state: 'asleep' | 'restarting' = 'asleep') => {
      await place.move(async () => ({ ...ASLEEP, state, deadline }))
      return place.isDue()
    }
    const now = clock.now()
    expect(place.isDue()).toBe(false)
    expect(await dueFor(null)).toBe(false)
    expect(await dueFor(now + 1001)).toBe(false)
    expect(await dueFor(now + 1000)).toBe(true)
    expect(await dueFor(now - 1)).toBe(true)
    expect(await dueFor(now - 1, 'restarting')).toBe(false)
  })

  it('is the same after the host was started again', async () => {
    const { place, records, clock, open } = await placed()
    expect(place.record()).toBeNull()
    await place.move(async () => ASLEEP)
    const record = { version: 1, at: new Date(clock.now()).toISOString(), ...ASLEEP }
    expect(place.record()).toEqual(record)
    const again = await open()
    expect([again.phase(), again.record()]).toEqual(['asleep', record])
    await place.move(async () => undefined)
    expect(place.record()).toEqual(record)
    await place.move(async () => null)
    expect(await records.read('parked.json')).toBeNull()
    expect((await open()).phase()).toBe('awake')
  })

  it.each([
    '{}',
    'no JSON',
    '{"version":1,"state":"lost","at":"2026-01-01T00:00:00Z","processes":[],"deadline":null}',
  ])('cannot be known from a damaged record: %s', async (text) => {
    const { records, open } = await placed()
    await records.writeAtomic('parked.json', text)
    await expect(open()).rejects.toMatchObject({ code: 'INVALID_FILE' })
  })

  it('is told to nobody who listens when it stays the same', async () => {
    const { place } = await placed()
    const moved = vi.fn()
    place.onMove(moved)
    await place.move(async () => ({ ...ASLEEP, state: 'restarting' as const }))
    await place.move(async () => null)
    expect(moved).not.toHaveBeenCalled()
  })

  it('is wanted by work that needs the sandbox awake, which then is done', async () => {
    const { place, sandbox, onWanted } = await placed()
    expect(await place.awake(async (inner) => inner === sandbox)).toBe(true)
    expect([place.isWanted(), onWanted.mock.calls.length]).toEqual([false, 0])
    await place.move(async () => ASLEEP)
    const work = vi.fn(async () => 'done')
    const done = place.awake(work)
    await vi.waitFor(() => expect(onWanted).toHaveBeenCalledOnce())
    expect([place.isWanted(), work.mock.calls.length]).toEqual([true, 0])
    await place.move(async () => ({ ...ASLEEP, state: 'restarting' as const }))
    expect(await done).toBe('done')
    expect(place.isWanted()).toBe(false)
  })

  it('is gone for work that waits, and for later work', async () => {
    const { place } = await placed()
    place.refuseIfGone()
    await place.move(async () => ASLEEP)
    place.refuseIfGone()
    const waiting = place.awake(async () => 'never')
    await vi.waitFor(() => expect(place.isWanted()).toBe(true))
    await place.move(async () => GONE)
    for (const work of [waiting, place.awake(async () => 'never')])
      await expect(work).rejects.toMatchObject({ code: 'GONE' })
    expect(() => place.refuseIfGone()).toThrow(expect.objectContaining({ code: 'GONE' }))
    expect([place.phase(), place.isParked('p')]).toEqual(['gone', false])
    await place.notAsleep()
  })

  it('is waited for until the sandbox does not sleep, or until the signal aborts', async () => {
    const { place } = await placed()
    await place.notAsleep()
    await place.move(async () => ASLEEP)
    const stop = new AbortController()
    const ended: string[] = []
    const waiting = [
      place.notAsleep(stop.signal).then(() => ended.push('stopped')),
      place.notAsleep().then(() => ended.push('awake')),
    ]
    await turn()
    expect(ended).toEqual([])
    stop.abort()
    await waiting[0]
    await place.notAsleep(stop.signal)
    expect(ended).toEqual(['stopped'])
    await place.move(async () => null)
    await waiting[1]
    expect(ended).toEqual(['stopped', 'awake'])
  })

  it('takes no work after it was closed, and gives up what waits for the sandbox', async () => {
    const { place } = await placed()
    let end = (): void => {}
    const working = place.use(() => new Promise<void>((resolve) => (end = resolve)))
    let isClosed = false
    const closing = place.close().then(() => (isClosed = true))
    await turn()
    expect(isClosed).toBe(false)
    end()
    await Promise.all([working, closing])
    await expect(place.use(async () => 1)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    const { place: sleeping } = await placed()
    await sleeping.move(async () => ASLEEP)
    const wanted = sleeping.awake(async () => 1).catch((error: unknown) => error)
    await vi.waitFor(() => expect(sleeping.isWanted()).toBe(true))
    await sleeping.close()
    expect(await wanted).toMatchObject({ code: 'UNREACHABLE' })
  })
})

describe('a signal until the next move', () => {
  it('aborts with a move, and with the given signal', async () => {
    const { place } = await placed()
    const stop = new AbortController()
    const first = untilMove(place, stop.signal)
    const released = untilMove(place, stop.signal)
    released.end()
    expect(first.signal.aborted).toBe(false)
    await place.move(async () => ASLEEP)
    expect([first.signal.aborted, released.signal.aborted]).toEqual([true, false])
    const second = untilMove(place, stop.signal)
    stop.abort()
    expect([second.signal.aborted, released.signal.aborted]).toEqual([true, false])
    expect(untilMove(place, stop.signal).signal.aborted).toBe(true)
  })
})
