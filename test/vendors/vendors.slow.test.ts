import { describe, it } from 'vitest'
import { vendorContract } from '../support/vendors/vendor-contract.ts'
import { VENDORS } from '../support/vendors/vendors.ts'

/**
 * What takes minutes for every vendor. What the relay does about links and writers is the same behind every connection. And
 * connections are also cut at every message in a test of their own.
 */
const isLong = (name: string): boolean => / is cut|\b(links?|writers?|claim|UNSAFE_PATH)\b/.test(name)

const vendors = VENDORS.filter(([vendor]) => !vendor.startsWith('nobody'))

describe.each(vendors)('a sandbox of %s, with a stand-in for its service', (vendor, open) => {
  const isWhole = vendor.startsWith('Vercel')
  const cases = vendorContract(open).filter(({ name }) => isWhole || !isLong(name))
  for (const { name, run } of cases) it(name, run)
})
