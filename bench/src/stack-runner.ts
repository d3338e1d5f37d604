// The runner of a signed run: asks one question after the other, and prints by the clock that all processes share when it
// had each answer.

import { parseArgs } from 'node:util'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser, createVerifiedChannel, parsePublicKeys } from '@sandagent/runner'
import { requestOf } from './timed-answer.ts'

const { values } = parseArgs({
  strict: false,
  options: { workdir: { type: 'string' }, 'run-id': { type: 'string' } },
})
const publicKeys = parsePublicKeys(process.env.SANDAGENT_PUBLIC_KEYS ?? '')
const channel = createVerifiedChannel(createFileRunnerChannel({ workdir: `${values.workdir}` }), {
  publicKeys,
})
const runId = `${values['run-id']}`

// A question that nobody answers keeps the poll slow: it is the watch that is measured, not a lucky poll.
void askUser(channel, { ...requestOf('unanswered'), runId })
for (let n = 0; ; n++) {
  await askUser(channel, { ...requestOf(`ask-${n}`), runId })
  console.log(String(process.hrtime.bigint()))
}
