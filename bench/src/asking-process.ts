// Asks under each id that comes in, and says by the clock that all processes share when it had the answer.

import { createInterface } from 'node:readline'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { requestOf } from './timed-answer.ts'

const channel = createFileRunnerChannel({ workdir: process.cwd() })
for await (const toolCallId of createInterface({ input: process.stdin })) {
  await askUser(channel, requestOf(toolCallId))
  console.log(String(process.hrtime.bigint()))
}
