// The runner of a signed run: asks one question after the other, and prints by the clock that all processes share when it
// had each answer.

import { parseArgs } from 'node:util'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser, createVerifiedChannel, parsePublicKeys } from '@sandagent/runner'
import { requestOf } from '../lib/timed-answer.ts'

const { values } = parseArgs({
  strict: false,
  options: { workdir: { type: 'string' }, 'run-id': { type: 'string' }, waiting: { type: 'string' } },
})
const publicKeys = parsePublicKeys(process.env.SANDAGENT_PUBLIC_KEYS ?? '')
const channel = createVerifiedChannel(createFileRunnerChannel({ workdir: `${values.workdir}` }), {
  publicKeys,
})
const runId = `${values['run-id']}`

await Promise.all(Array.from({ length: Number(values.waiting) }, (_, n) => waitFor(`unanswered-${n}`)))
for (let n = 0; ; n++) {
  await askUser(channel, { ...requestOf(`ask-${n}`), runId })
  console.log(String(process.hrtime.bigint()))
}

/** Asks a question that nobody answers. Resolves once it is asked. */
function waitFor(toolCallId: string): Promise<void> {
  return new Promise(
    (onAsked) => void askUser(channel, { ...requestOf(toolCallId), runId }, { onAsked: () => onAsked() }),
  )
}
