// The contract of sandboxes in a sandbox of Vercel: VERCEL_TOKEN=… VERCEL_TEAM_ID=… VERCEL_PROJECT_ID=… node --test
// examples/vendors/vercel.test.mjs
import { after, test } from 'node:test'
import { sandboxContract } from '@sandagent/testing'
import { Sandbox } from '@vercel/sandbox'
import { vercelSandbox } from './vercel.mjs'

const { VERCEL_TOKEN = '', VERCEL_TEAM_ID = '', VERCEL_PROJECT_ID = '' } = process.env
const account = { token: VERCEL_TOKEN, teamId: VERCEL_TEAM_ID, projectId: VERCEL_PROJECT_ID }
const service = await Sandbox.create({ ...account, timeout: 30 * 60_000 })
/** @type {import('@sandagent/remote').RemoteSandbox[]} */
const opened = [] // Also the second objects of the cases.
after(async () => {
  for (const sandbox of opened) sandbox.close()
  await service.stop()
})

const open = (/** @type {string} */ workdir) => {
  const sandbox = vercelSandbox(service, { workdir, isolation: 'none' })
  opened.push(sandbox)
  return sandbox
}
const makeSandbox = () => open(`/tmp/contract-${opened.length}`)

for (const { name, run } of sandboxContract(makeSandbox, { another: ({ workdir }) => open(workdir) }))
  test(name, { timeout: 120_000 }, run)
