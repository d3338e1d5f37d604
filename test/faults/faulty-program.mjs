// A process in which one system call fails, or before which it is killed. It answers a question, or asks it, once a byte
// comes on its standard input. On its standard output it says what its caller was told.

import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser, createVerifiedChannel, receiptsWritten } from '@sandagent/runner'
import { createAnswerHandler, LocalSandbox, parseSigningKeys, submitAnswer } from '@sandagent/sdk'

const { role, workdir, signingKey, request, timeoutMs } = JSON.parse(process.argv[2])
const keys = signingKey === null ? null : await parseSigningKeys(signingKey)
const sandbox = () => new LocalSandbox({ workdir, isolation: 'none', onIsolation: () => {} })

const roles = {
  submitAnswer: () => submitAnswer(sandbox(), request, { signingKeys: keys }),
  async answerHandler() {
    const { POST } = createAnswerHandler({
      sandbox: sandbox(),
      signingKeys: keys,
      authorize: () => true,
      onError() {},
    })
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(request)
    const response = await POST(new Request('http://localhost/', { method: 'POST', headers, body }))
    if (!response.ok) throw await response.json()
    return response.json()
  },
  askUser() {
    const files = createFileRunnerChannel({ workdir })
    const channel = keys === null ? files : createVerifiedChannel(files, { publicKeys: keys.publicKeys })
    return askUser(channel, request, { timeoutMs })
  },
}

const say = (value) => writeSync(1, `${JSON.stringify(value)}\n`)

// Receipts are tried again only while something else keeps the process going.
setInterval(() => {}, 60_000)
say({ poolThread: globalThis.poolThread })
await once(process.stdin, 'data')
try {
  say({ value: await roles[role]() })
  await receiptsWritten()
} catch (error) {
  say({ error: error.code ?? String(error) })
}
process.exit()
