import { Sandbox } from '@vercel/sandbox'
import { vercelSandbox } from '../../../examples/vendors/vercel.mjs'
import type { OpenPlace } from './vendor-contract.ts'
import { vercelService } from './vercel-service.ts'

/** A sandbox by the real package of Vercel, with a stand-in for its service. */
export const vercelPlace: OpenPlace = async (options) => {
  const { url, cutAfter } = await vercelService()
  const redirected: typeof fetch = (input, init) =>
    fetch(String(input instanceof Request ? input.url : input).replace('https://vercel.com/api', url), init)
  const account = { token: 'a token', teamId: 'a team', projectId: 'a project' }
  const service = await Sandbox.get({ name: 'stand-in', ...account, fetch: redirected })
  return { sandbox: vercelSandbox(service, options), cutAfter }
}
