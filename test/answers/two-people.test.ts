import fc from 'fast-check'
import { it } from 'vitest'
import { interleavings, playTwoPeople } from '../support/two-people.ts'

// A failure prints its seed and its path. `fc.assert(…, { seed, path })` plays it again.
it('lets two people, three tabs, a dead network and restarts end in one answer that everybody sees alike', async () => {
  // A slow machine plays fewer games.
  const effort = { numRuns: 100, interruptAfterTimeLimit: 40_000 }
  await fc.assert(fc.asyncProperty(interleavings, playTwoPeople), effort)
})
