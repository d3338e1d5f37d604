import { Sandbox } from 'e2b'
import { e2bSandbox } from '../../../examples/vendors/e2b.mjs'
import { e2bService } from './e2b-service.ts'
import type { OpenPlace } from './vendor-contract.ts'

/** A sandbox by the real package of E2B, with a stand-in for its service. */
export const e2bPlace: OpenPlace = async (options) => {
  const { url, cutAfter } = await e2bService()
  const service = { apiKey: `e2b_${'0'.repeat(40)}`, apiUrl: url, sandboxUrl: url }
  return { sandbox: e2bSandbox(await Sandbox.connect('stand-in', service), options), cutAfter }
}
