// Asks under each id that comes in, and says by the clock that all processes share when it had the answer.

import { createInterface } from 'node:readline'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'
import { requestOf } from '../lib/timed-answer.ts'

const channel = createFileRunnerChannel({ workdir: process.cwd() })
// A question that nobody answers keeps the poll slow: it is the watch that is measured, not a lucky poll.
void askUser(channel, requestOf('unanswered'))
for await (const toolCallId of createInterface({ input: process.stdin })) {
  await askUser(channel, requestOf(toolCallId))
  console.log(String(process.hrtime.bigint()))
}
process.exit()
