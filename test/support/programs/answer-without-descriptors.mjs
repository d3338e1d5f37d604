// A host process that has hardly a file descriptor left. argv: the workdir. It posts the same answer with no descriptor
// left, then with one, two and so on, until the answer is stored. It prints each status.
import { closeSync, openSync } from 'node:fs'
import { createAnswerHandler, LocalSandbox } from '@sandagent/sdk'

const sandbox = new LocalSandbox({ workdir: process.argv[2] ?? '', isolation: 'none', onIsolation: () => {} })
const { POST } = createAnswerHandler({ sandbox, signingKeys: null, authorize: () => true, onError: () => {} })

/** @param {string} toolCallId */
async function post(toolCallId) {
  const questions = [{ question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] }]
  const body = JSON.stringify({ toolCallId, questions, answers: { 'Which one?': 'A' } })
  const headers = { 'content-type': 'application/json', host: 'localhost' }
  const response = await POST(new Request('http://localhost/', { method: 'POST', headers, body }))
  return response.status
}

// Whatever is loaded at the first request needs descriptors too.
await post('unknown')

/** @type {number[]} */
const taken = []
try {
  for (;;) taken.push(openSync('/dev/null', 'r'))
} catch {
  // None is left.
}
/** @type {number[]} */
const statuses = []
while (statuses.at(-1) !== 200 && taken.length > 0) {
  statuses.push(await post('t1'))
  closeSync(/** @type {number} */ (taken.pop()))
}
console.log(JSON.stringify(statuses))
