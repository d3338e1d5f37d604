import { getEventListeners } from 'node:events'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { createFakeClock } from '@sandagent/testing'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { backgroundClock, holdProcess, sleep, systemClock, withLimit } from '../../src/internal.ts'

describe('systemClock', () => {
  afterEach(() => vi.useRealTimers())

  it('calls back once after the delay', () => {
    vi.useFakeTimers()
    const callback = vi.fn()
    systemClock.after(1000, callback)
    vi.advanceTimersByTime(999)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(5000)
    expect(callback).toHaveBeenCalledOnce()
  })

  it('takes a callback back and leaves no timer', () => {
    vi.useFakeTimers()
    systemClock.after(1000, vi.fn())()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('waits longer than a timer can hold, instead of firing at once', () => {
    vi.useFakeTimers()
    const callback = vi.fn()
    const days = 24 * 60 * 60 * 1000
    const cancel = systemClock.after(60 * days, callback)
    vi.advanceTimersByTime(59 * days)
    expect(callback).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1 * days)
    expect(callback).toHaveBeenCalledOnce()
    cancel()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('the time of the machine', () => {
  it('is that of its date', () => {
    const before = Date.now()
    expect(systemClock.now()).toBeGreaterThanOrEqual(before)
    expect(systemClock.now()).toBeLessThanOrEqual(Date.now())
  })

  it('keeps a process alive while it is waited for, except in the background', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const cancelBackground = backgroundClock.after(60_000, () => {})
    expect(timers()).toBe(before)
    const cancel = systemClock.after(60_000, () => {})
    expect(timers()).toBe(before + 1)
    cancelBackground()
    cancel()
    expect(timers()).toBe(before)
  })
})

describe('sleep', () => {
  it('lasts as long as it should, and leaves no listener', async () => {
    const clock = createFakeClock()
    const stop = new AbortController()
    const woken = vi.fn()
    const sleeping = sleep(clock, 1000, stop.signal).then(woken)
    clock.advance(999)
    await Promise.resolve()
    expect(woken).not.toHaveBeenCalled()
    clock.advance(1)
    await sleeping
    expect(getEventListeners(stop.signal, 'abort')).toEqual([])
  })

  it('ends when the signal aborts, before it or in the middle, and leaves no timer', async () => {
    const clock = createFakeClock()
    await sleep(clock, 1000, AbortSignal.abort())
    const stop = new AbortController()
    const sleeping = sleep(clock, 1000, stop.signal)
    stop.abort()
    await sleeping
    expect(clock.pending()).toBe(0)
  })
})

describe('holdProcess', () => {
  afterEach(() => vi.useRealTimers())

  it('holds the process by one timer, until all have let it go', () => {
    vi.useFakeTimers()
    const [first, second] = [holdProcess(), holdProcess()]
    expect(vi.getTimerCount()).toBe(1)
    first()
    first()
    expect(vi.getTimerCount()).toBe(1)
    second()
    expect(vi.getTimerCount()).toBe(0)
    holdProcess()()
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('withLimit', () => {
  it('aborts with the other signal, and after its time', () => {
    const clock = createFakeClock()
    const stop = new AbortController()
    const [stopped, late] = [withLimit(stop.signal, 1000, clock), withLimit(AbortSignal.any([]), 1000, clock)]
    stop.abort('left')
    expect(stopped.reason).toBe('left')
    expect(late.aborted).toBe(false)
    clock.advance(1000)
    expect(late.reason).toMatchObject({ code: 'UNREACHABLE' })
  })

  it('keeps its time where nobody holds the signal and memory is collected', async () => {
    setFlagsFromString('--expose-gc')
    const collect: () => void = runInNewContext('gc')
    const ended = new Promise((resolve) =>
      withLimit(new AbortController().signal, 50).addEventListener('abort', resolve),
    )
    collect()
    await ended
  })
})
