import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { abortOnSignals, exitCodeAfter } from '../src/signals.ts'

const fakeProcess = () => new EventEmitter() as NodeJS.Process

describe('abortOnSignals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('turns %s into an abort, and the exit code %i', (name, code) => {
    const process = fakeProcess()
    const { signal } = abortOnSignals(process)
    process.emit(name, name)
    expect(signal.aborted).toBe(true)
    expect(exitCodeAfter(signal)).toBe(code)
  })

  it('keeps listening after the first signal, and lets the same one again end the process', () => {
    const kill = vi.fn(() => true)
    const process = Object.assign(fakeProcess(), { pid: 42, kill })
    abortOnSignals(process)
    process.emit('SIGINT', 'SIGINT')
    expect(process.listenerCount('SIGINT')).toBe(1)
    expect(kill).not.toHaveBeenCalled()
    process.emit('SIGTERM', 'SIGTERM')
    expect(kill).not.toHaveBeenCalled()
    process.emit('SIGINT', 'SIGINT')
    expect(process.eventNames()).toEqual([])
    expect(kill).toHaveBeenCalledWith(42, 'SIGINT')
  })

  it('can be interrupted from inside, and listens no longer once released', () => {
    const process = fakeProcess()
    const { signal, interrupt, release } = abortOnSignals(process)
    release()
    expect(process.eventNames()).toEqual([])
    expect(exitCodeAfter(signal)).toBe(0)
    interrupt()
    expect(exitCodeAfter(signal)).toBe(130)
  })
})
