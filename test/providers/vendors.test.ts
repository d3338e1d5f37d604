import { describe, it } from 'vitest'
import { vendorContract } from '../support/providers/vendor-contract.ts'
import { VENDORS } from '../support/providers/vendors.ts'

/** The whole contract is in the slow tests. */
const QUICK = [
  'a file is read as it was written, and its folders are made',
  'big outputs arrive whole, also when they are read late',
  'a program begins only after beforeStart has resolved',
  'a watch reports again after the connection was cut (needs cutAfter)',
]

describe.each(VENDORS)('a sandbox of %s, with a stand-in for its service', (_, open) => {
  for (const { name, run } of vendorContract(open)) if (QUICK.includes(name)) it(name, run)
})
