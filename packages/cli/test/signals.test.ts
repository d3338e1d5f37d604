import { EventEmitter } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { abortOnSignals, exitCodeAfter, GRACE_MS } from '../src/signals.ts'

const fakeProcess = () =>
  Object.assign(new EventEmitter() as NodeJS.Process, { pid: 42, kill: vi.fn(() => true as const) })

describe('abortOnSignals', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('turns %s into an abort, and the exit code %i', (name, code) => {
    const process = fakeProcess()
    const { signal } = abortOnSignals(process)
    process.emit(name, name)
    expect(signal.aborted).toBe(true)
    expect(exitCodeAfter(signal)).toBe(code)
  })

  it('ignores more signals for a while, and lets the next one end the process', () => {
    const process = fakeProcess()
    let now = 0
    const { signal } = abortOnSignals(process, () => now)
    for (const name of ['SIGINT', 'SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.emit(name, name)
    now = GRACE_MS
    process.emit('SIGINT', 'SIGINT')
    expect(process.kill).not.toHaveBeenCalled()
    now += 1
    process.emit('SIGTERM', 'SIGTERM')
    expect(process.eventNames()).toEqual([])
    expect(process.kill).toHaveBeenCalledWith(42, 'SIGTERM')
    expect(exitCodeAfter(signal)).toBe(130)
  })

  it('can be interrupted from inside', () => {
    const { signal, interrupt } = abortOnSignals(fakeProcess())
    expect(exitCodeAfter(signal)).toBe(0)
    interrupt('SIGINT')
    expect(exitCodeAfter(signal)).toBe(130)
  })
})
