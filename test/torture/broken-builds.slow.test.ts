import {
  BREAK_NAMES,
  type BreakName,
  type TortureOptions,
  torture,
  type ViolationKind,
} from '@sandagent/torture'
import { describe, expect, it } from 'vitest'
import { canRun } from './can-run.ts'

/** What each break shows as. The torture ends at the first violation. */
const FOUND_AS: Record<BreakName, ViolationKind[]> = {
  'no-rename': ['torn'],
  'no-claim': ['duplicated', 'lost', 'misreported'],
  'no-nonce': ['misreported', 'lost', 'duplicated'],
  'no-re-read': ['lost', 'misreported'],
  'no-sync': ['lost'],
  'claims-ignored': ['lost', 'misreported'],
  // A draft stands in the place of a final answer; or a click that came after one is acknowledged beside it.
  'no-second-look': ['lost', 'duplicated'],
  'no-swap': ['lost', 'duplicated'],
  'clocks-trusted': ['lost'],
  'no-receipt': ['lost', 'misreported'],
}

/** The plans that show a break soon. */
const PLANS: Partial<Record<BreakName, TortureOptions['weights']>> = {
  'claims-ignored': { 'a race': 64, 'drafts of several': 64, 'a frozen draft': 10 },
  'no-second-look': { 'a frozen draft': 30 },
  'no-swap': { 'drafts of several': 100, clicks: 50 },
  'clocks-trusted': { clicks: 30 },
}

describe.skipIf(!canRun)('a torture of a build that is broken on purpose', () => {
  it.each(BREAK_NAMES)(
    'finds %s',
    async (breakName) => {
      const weights = PLANS[breakName]
      const { violations } = await torture({
        minutes: 5,
        seed: 7,
        breakName,
        weights,
        isOverAtViolation: true,
      })
      const [first] = violations
      expect(FOUND_AS[breakName]).toContain(first?.kind)
    },
    600_000,
  )
})
