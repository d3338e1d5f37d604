// A script that waits for the first question of a remote sandbox: its folder and the command of the relay are the arguments.
import { listQuestions, watchQuestions } from '@sandagent/sdk'
import { commandSandbox } from '@sandagent/sdk/remote'

const [, , workdir, ...relay] = process.argv
const sandbox = commandSandbox(['env'], { workdir, relay, isolation: 'none' })
await listQuestions(sandbox)
console.log('connected')
for await (const { toolCallId } of watchQuestions(sandbox)) {
  console.log(toolCallId)
  break
}
sandbox.close()
