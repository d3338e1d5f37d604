import fc from 'fast-check'
import { it } from 'vitest'
import { interleavings, playTwoPeople } from './support/two-people.ts'

it('lets 1,000 interleavings of two people end in one answer that everybody sees alike', async () => {
  await fc.assert(fc.asyncProperty(interleavings, playTwoPeople), { numRuns: 1000 })
}, 1_800_000)
