// Answers a call of the AI SDK harness' askUserQuestions: its input goes in, its output comes out.
// node examples/dialects/harness.mjs FOLDER <input.json
import { json } from 'node:stream/consumers'
import { formatResult, parseRequest } from '@sandagent/core/dialects/harness'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'

const workdir = process.argv[2] ?? 'harness-example'

const outcome = await askUser(createFileRunnerChannel({ workdir }), {
  toolCallId: 'call_1',
  toolName: 'askUserQuestions',
  runId: 'harness-example',
  questions: parseRequest(await json(process.stdin)),
})
console.log(JSON.stringify(formatResult(outcome)))
