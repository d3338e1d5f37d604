import { describe, it } from 'vitest'
import { vendorContract } from '../support/vendors/vendor-contract.ts'
import { VENDORS } from '../support/vendors/vendors.ts'

const byFiles = VENDORS.filter(([vendor]) => vendor.startsWith('nobody'))

describe.each(byFiles)('a sandbox of %s', (_vendor, open) => {
  for (const { name, run } of vendorContract(open)) it(name, run)
})
