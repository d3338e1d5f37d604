import { expect, it, onTestFinished, vi } from 'vitest'
import { breathe } from '../../src/lib/breathe.ts'

/** Sets the time that the process has been busy. */
function fixedTime(): (ms: number) => void {
  let now = 0
  const spy = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => spy.mockRestore())
  return (ms) => {
    now = ms
  }
}

const immediate = () => new Promise((resolve) => setImmediate(resolve))

it('other work comes first only when the process was busy for long', async () => {
  await immediate()
  const setTime = fixedTime()
  const log: string[] = []
  setTime(1000)
  await breathe()
  setImmediate(() => log.push('other work'))
  setTime(1005)
  await breathe()
  expect(log).toEqual([])
  setTime(1006)
  await breathe()
  expect(log).toEqual(['other work'])
})

it('the time counts anew after other work had its turn', async () => {
  await immediate()
  const setTime = fixedTime()
  setTime(1000)
  await breathe()
  await immediate()
  setTime(2000)
  const log: string[] = []
  setImmediate(() => log.push('other work'))
  await breathe()
  await breathe()
  expect(log).toEqual([])
})
