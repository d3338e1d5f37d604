import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { holdProcess } from '../../../src/remote/connection/hold-process.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => void vi.useRealTimers())

it('a process is held once, until all have let it go', () => {
  const [first, second] = [holdProcess(), holdProcess()]
  expect(vi.getTimerCount()).toBe(1)
  first()
  first()
  expect(vi.getTimerCount()).toBe(1)
  second()
  expect(vi.getTimerCount()).toBe(0)
  const third = holdProcess()
  expect(vi.getTimerCount()).toBe(1)
  third()
  expect(vi.getTimerCount()).toBe(0)
})
