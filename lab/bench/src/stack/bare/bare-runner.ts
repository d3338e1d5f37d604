// The least that a runner must do, in a process of its own: a bare fs.watch, one read, one check of the signature.

import { createPublicKey, verify } from 'node:crypto'
import { join } from 'node:path'
import { waitByWatch } from '../../resume/waits.ts'

const [, , folder = '', key = ''] = process.argv
const publicKey = createPublicKey(key)

process.on('message', async (toolCallId: string) => {
  const answer = waitByWatch(join(folder, `${toolCallId}.json`))
  process.send?.('waiting')
  const { body, signature } = (await answer) as { body: string; signature: string }
  if (!verify(null, Buffer.from(body), publicKey, Buffer.from(signature, 'base64url')))
    throw new Error(`The answer to ${toolCallId} is not signed by this host`)
  process.send?.(String(process.hrtime.bigint()))
})
