import { describe, it } from 'vitest'
import { pathCases } from '../../packages/sdk/src/testing/sandbox/path-cases.ts'
import { writerCases } from '../../packages/sdk/src/testing/sandbox/writer-cases.ts'
import { vendorContract } from '../support/providers/vendor-contract.ts'
import { VENDORS } from '../support/providers/vendors.ts'

/** What the relay alone does. It is the same behind every connection, so one vendor is enough. */
const ofRelay = [...pathCases, ...writerCases].map(({ name }) => name)

/** What takes minutes for every vendor. Connections are also cut at every message in a test of their own. */
const isLong = (name: string): boolean =>
  name.includes(' is cut') || ofRelay.some((each) => name.startsWith(each))

const vendors = VENDORS.filter(([vendor]) => !vendor.startsWith('nobody'))

describe.each(vendors)('a sandbox of %s, with a stand-in for its service', (vendor, open) => {
  const isWhole = vendor.startsWith('Vercel')
  const cases = vendorContract(open).filter(({ name }) => isWhole || !isLong(name))
  for (const { name, run } of cases) it(name, run)
})
