// The contract of sandboxes in a sandbox of E2B: E2B_API_KEY=KEY node --test examples/vendors/e2b.test.mjs
import { after, test } from 'node:test'
import { sandboxContract } from '@sandagent/testing'
import { Sandbox } from 'e2b'
import { e2bSandbox } from './e2b.mjs'

const service = await Sandbox.create({ timeoutMs: 30 * 60_000 })
/** @type {import('@sandagent/remote').RemoteSandbox[]} */
const opened = [] // Also the second objects of the cases.
after(async () => {
  for (const sandbox of opened) sandbox.close()
  await service.kill()
})

const open = (/** @type {string} */ workdir) => {
  const sandbox = e2bSandbox(service, { workdir, isolation: 'none' })
  opened.push(sandbox)
  return sandbox
}
const makeSandbox = () => open(`/home/user/contract-${opened.length}`)

for (const { name, run } of sandboxContract(makeSandbox, { another: ({ workdir }) => open(workdir) }))
  test(name, { timeout: 120_000 }, run)
