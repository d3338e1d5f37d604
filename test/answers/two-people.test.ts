import fc from 'fast-check'
import { it } from 'vitest'
import { interleavings, playTwoPeople } from '../support/two-people.ts'

// A failure prints its seed and its path. `fc.assert(…, { seed, path })` plays it again.
it('lets two people, three tabs, a dead network and restarts end in one answer that everybody sees alike', async () => {
  // A slow machine plays fewer games. An interruption by fast-check fails where no game has ended yet.
  const end = performance.now() + 40_000
  const game = fc.asyncProperty(interleavings, async (moves) => {
    if (performance.now() < end) await playTwoPeople(moves)
  })
  await fc.assert(game, { numRuns: 100 })
})
