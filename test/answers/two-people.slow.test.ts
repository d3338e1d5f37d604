import fc from 'fast-check'
import { it } from 'vitest'
import { repeats } from '../support/repeats.ts'
import { interleavings, playTwoPeople } from '../support/two-people.ts'

const TIMES = repeats(300, 1000)

it(`lets ${TIMES} interleavings of two people end in one answer that everybody sees alike`, async () => {
  await fc.assert(fc.asyncProperty(interleavings, playTwoPeople), { numRuns: TIMES })
}, 1_800_000)
