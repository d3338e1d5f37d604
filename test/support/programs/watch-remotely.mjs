// A script that waits for the first question of a remote sandbox: its folder and the command of the relay are the arguments.

import { commandSandbox } from '@sandagent/remote'
import { listQuestions, watchQuestions } from '@sandagent/sdk'

const [, , workdir, ...relay] = process.argv
const sandbox = commandSandbox(['env'], { workdir, relay, isolation: 'none' })
await listQuestions(sandbox)
console.log('connected')
for await (const { toolCallId } of watchQuestions(sandbox)) {
  console.log(toolCallId)
  break
}
sandbox.close()
