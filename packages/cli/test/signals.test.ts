import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
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

  it('leaves the second signal to the system, which ends the process', () => {
    const process = fakeProcess()
    abortOnSignals(process)
    process.emit('SIGINT', 'SIGINT')
    expect(process.listenerCount('SIGINT')).toBe(0)
    expect(process.listenerCount('SIGTERM')).toBe(0)
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
