// The contract of sandboxes in a sandbox of Modal: MODAL_TOKEN_ID=… MODAL_TOKEN_SECRET=… node --test
// examples/vendors/modal.test.mjs
import { after, test } from 'node:test'
import { sandboxContract } from '@sandagent/testing'
import { ModalClient } from 'modal'
import { modalSandbox } from './modal.mjs'

const modal = new ModalClient()
const app = await modal.apps.fromName('sandagent-contract', { createIfMissing: true })
const image = modal.images.fromRegistry('node:22')
const service = await modal.sandboxes.create(app, image, { timeoutMs: 30 * 60_000 })
/** @type {import('@sandagent/remote').RemoteSandbox[]} */
const opened = [] // Also the second objects of the cases.
after(async () => {
  for (const sandbox of opened) sandbox.close()
  await service.terminate()
})

const open = (/** @type {string} */ workdir) => {
  const sandbox = modalSandbox(service, { workdir, isolation: 'none' })
  opened.push(sandbox)
  return sandbox
}
const makeSandbox = () => open(`/tmp/contract-${opened.length}`)

for (const { name, run } of sandboxContract(makeSandbox, { another: ({ workdir }) => open(workdir) }))
  test(name, { timeout: 120_000 }, run)
