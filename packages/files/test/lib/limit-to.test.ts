import { AsyncLocalStorage } from 'node:async_hooks'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitTo } from '../../src/lib/limit-to.ts'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

it('runs no more at once than it may, in the order in which they came, also after failures', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(3)), async (most, turns) => {
      const limit = limitTo(most)
      const begun: number[] = []
      let running = 0
      let highest = 0
      const work = async (index: number): Promise<number> => {
        begun.push(index)
        running++
        highest = Math.max(highest, running)
        for (let left = turns[index] ?? 0; left > 0; left--) await turn()
        running--
        if (turns[index] === 2) throw new Error('failed')
        return index
      }
      const ends = await Promise.allSettled(turns.map((_, index) => limit(() => work(index))))
      expect(begun).toEqual(turns.map((_, index) => index))
      expect(highest).toBeLessThanOrEqual(most)
      ends.forEach((end, index) => {
        expect(end.status === 'fulfilled' ? end.value : 'failed').toBe(turns[index] === 2 ? 'failed' : index)
      })
    }),
    { numRuns: 50 },
  )
})

it('begins at once where nothing has to wait', async () => {
  let hasBegun = false
  const done = limitTo(1)(async () => {
    hasBegun = true
  })
  expect(hasBegun).toBe(true)
  await done
})

it('gives work that waited the context of its caller', async () => {
  const context = new AsyncLocalStorage<string>()
  const limit = limitTo(1)
  const seen = ['a', 'b'].map((name) =>
    context.run(name, () =>
      limit(async () => {
        await turn()
        return context.getStore()
      }),
    ),
  )
  expect(await Promise.all(seen)).toEqual(['a', 'b'])
})
