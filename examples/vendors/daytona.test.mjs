// The contract of sandboxes in a sandbox of Daytona: DAYTONA_API_KEY=KEY node --test examples/vendors/daytona.test.mjs
import { after, test } from 'node:test'
import { sandboxContract } from '@sandagent/testing'
import { daytonaSandbox } from './daytona.mjs'

// The package takes 100 MB. So it is not installed here, and the compiler does not know it.
const name = '@daytona/sdk'
const { Daytona } = await import(name)
const service = await new Daytona().create({ autoStopInterval: 0 })
/** @type {import('@sandagent/remote').RemoteSandbox[]} */
const opened = [] // Also the second objects of the cases.
after(async () => {
  for (const sandbox of opened) sandbox.close()
  await service.delete()
})

const open = (/** @type {string} */ workdir) => {
  const sandbox = daytonaSandbox(service, { workdir, isolation: 'none' })
  opened.push(sandbox)
  return sandbox
}
const makeSandbox = () => open(`/tmp/contract-${opened.length}`)

for (const { name, run } of sandboxContract(makeSandbox, { another: ({ workdir }) => open(workdir) }))
  test(name, { timeout: 120_000 }, run)
