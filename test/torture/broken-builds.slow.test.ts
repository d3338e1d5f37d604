import { BREAK_NAMES, torture } from '@sandagent/torture'
import { describe, expect, it } from 'vitest'
import { canRun } from './can-run.ts'

/** What each break must show as. */
const FOUND_AS = {
  'no-rename': 'torn',
  'no-claim': 'duplicated',
  'no-nonce': 'misreported',
  'no-re-read': 'lost',
  'no-sync': 'lost',
} as const

describe.skipIf(!canRun)('a torture of a build that is broken on purpose', () => {
  it.each(BREAK_NAMES)(
    'finds %s',
    async (breakName) => {
      const { violations } = await torture({ minutes: 5, seed: 7, breakName, isOverAtViolation: true })
      expect(violations.map(({ kind }) => kind)).toContain(FOUND_AS[breakName])
    },
    600_000,
  )
})
