import { afterEach, describe, expect, it, vi } from 'vitest'
import { systemClock } from '../src/index.ts'

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
