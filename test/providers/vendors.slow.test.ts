import { describe, it } from 'vitest'
import { vendorContract } from '../support/providers/vendor-contract.ts'
import { VENDORS } from '../support/providers/vendors.ts'

/** The others are cut at every message in a test of their own, or take a way that is cut elsewhere. That takes minutes. */
const isCut = (vendor: string): boolean => vendor.startsWith('Vercel')

const vendors = VENDORS.filter(([vendor]) => !vendor.startsWith('nobody'))

describe.each(vendors)('a sandbox of %s, with a stand-in for its service', (vendor, open) => {
  const cases = vendorContract(open).filter(({ name }) => isCut(vendor) || !name.includes(' is cut'))
  for (const { name, run } of cases) it(name, run)
})
