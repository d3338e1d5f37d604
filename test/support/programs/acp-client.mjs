// A client of ACP, by the SDK's own side for clients. What its agent asks goes to a person by the handler of the runner.
import { spawn } from 'node:child_process'
import { Readable, Writable } from 'node:stream'
import * as acp from '@agentclientprotocol/sdk'
import { createFileRunnerChannel } from '@sandagent/files'
import { receiptsWritten } from '@sandagent/runner'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'

const [workdir = '.', script = '', options = '{}'] = process.argv.slice(2)
const agent = spawn(process.execPath, [new URL('acp-agent.mjs', import.meta.url).pathname, script], {
  cwd: workdir,
  stdio: ['pipe', 'pipe', 'inherit'],
})
const handler = createElicitationHandler({
  channel: createFileRunnerChannel({ workdir }),
  runId: 'r',
  ...JSON.parse(options),
})
const connection = acp
  .client({ name: 'client' })
  .onRequest('elicitation/create', handler)
  .connect(acp.ndJsonStream(Writable.toWeb(agent.stdin), Readable.toWeb(agent.stdout)))
await connection.agent.request('initialize', {
  protocolVersion: 1,
  clientCapabilities: { elicitation: { form: {}, url: {} } },
})
const { sessionId } = await connection.agent.request('session/new', { cwd: workdir, mcpServers: [] })
await connection.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'Go' }] })
connection.close()
agent.kill()
await receiptsWritten()
