// Answers a call of Claude's AskUserQuestion: its input goes in, its output comes out.
// node examples/dialects/claude.mjs FOLDER <input.json
import { json } from 'node:stream/consumers'
import { formatResult, parseRequest } from '@sandagent/core/dialects/claude'
import { createFileRunnerChannel } from '@sandagent/files'
import { askUser } from '@sandagent/runner'

const workdir = process.argv[2] ?? 'claude-example'
const input = /** @type {Record<string, unknown>} */ (await json(process.stdin))

const outcome = await askUser(createFileRunnerChannel({ workdir }), {
  toolCallId: 'toolu_1',
  runId: 'claude-example',
  questions: parseRequest(input),
})
const result = formatResult(outcome, { input })
console.log(JSON.stringify('output' in result ? result.output : result))
