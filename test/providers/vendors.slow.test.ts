import { describe, it } from 'vitest'
import { vendorContract } from '../support/providers/vendor-contract.ts'
import { VENDORS } from '../support/providers/vendors.ts'

describe.each(VENDORS)('a sandbox of %s, with a stand-in for its service', (_, open) => {
  for (const { name, run } of vendorContract(open)) it(name, run)
})
