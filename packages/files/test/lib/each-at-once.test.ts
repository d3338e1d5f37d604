import { expect, it } from 'vitest'
import { eachAtOnce } from '../../src/lib/each-at-once.ts'

it('does each once, so many at a time', async () => {
  const done: number[] = []
  let running = 0
  let most = 0
  await eachAtOnce(new Set([1, 2, 3, 4, 5, 6, 7]), 3, async (item) => {
    running++
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running--
    done.push(item)
  })
  expect(done.sort()).toEqual([1, 2, 3, 4, 5, 6, 7])
  expect(most).toBe(3)
})

it('fails with the first error', async () => {
  const fails = eachAtOnce([1, 2], 2, async (item) => {
    throw new Error(`no ${item}`)
  })
  await expect(fails).rejects.toThrow('no 1')
})
