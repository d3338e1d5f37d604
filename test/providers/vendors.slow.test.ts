import { describe, it } from 'vitest'
import { e2bPlace } from '../support/providers/e2b-place.ts'
import { vendorContract } from '../support/providers/vendor-contract.ts'

describe.each([['E2B', e2bPlace]])(
  'a sandbox of %s, by its package, with a stand-in for its service',
  (_, open) => {
    for (const { name, run } of vendorContract(open)) it(name, run)
  },
)
