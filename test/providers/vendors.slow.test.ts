import { describe, it } from 'vitest'
import { vendorContract } from '../support/providers/vendor-contract.ts'
import { VENDORS } from '../support/providers/vendors.ts'

describe.each(VENDORS)('a sandbox of %s, with a stand-in for its service', (vendor, open) => {
  // Daytona takes the same way as Vercel, and cutting it at every message takes minutes.
  const cases = vendorContract(open).filter(
    ({ name }) => !vendor.startsWith('Daytona') || !name.includes(' is cut'),
  )
  for (const { name, run } of cases) it(name, run)
})
