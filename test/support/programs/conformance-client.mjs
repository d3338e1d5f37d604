// The client that MCP's conformance tests start: it calls every tool of the server whose address it is given. What the
// server asks is asked on a channel; the person there says yes, and leaves out what is no question of yes or no.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createFileRunnerChannel } from '@sandagent/files'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'
import { LocalSandbox, submitAnswer, watchQuestions } from '@sandagent/sdk'

const version = process.env.MCP_CONFORMANCE_PROTOCOL_VERSION ?? ''
const address = process.argv[2] ?? ''
const workdir = await mkdtemp(join(tmpdir(), 'sandagent-conformance-'))
const sandbox = new LocalSandbox({ workdir })
const over = new AbortController()

/** @returns {import('@sandagent/core').QuestionResponse} */
const responseTo = (
  /** @type {import('@sandagent/core').AskedQuestion} */ { options = [], defaultOption },
) =>
  options[0]?.value === 'true' && defaultOption === undefined
    ? { selected: ['true'], source: 'human' }
    : { skipped: true }

const person = (async () => {
  for await (const { toolCallId, state, questions } of watchQuestions(sandbox, { signal: over.signal })) {
    if (state !== 'open') continue
    const responses = Object.fromEntries(questions.map((question) => [question.id, responseTo(question)]))
    await submitAnswer(sandbox, { toolCallId, responses, status: 'completed' })
  }
})()

const client = new Client(
  { name: 'sandagent-test', version: '1.0.0' },
  {
    capabilities: { elicitation: { form: {}, url: {} } },
    versionNegotiation: { mode: version >= '2026' ? { pin: version } : 'legacy' },
  },
)
const channel = createFileRunnerChannel({ workdir })
client.setRequestHandler(
  'elicitation/create',
  createElicitationHandler({ channel, serverName: 'conformance' }),
)
await client.connect(new StreamableHTTPClientTransport(new URL(address)))
// The SDK refuses a result without resultType; that scenario only looks at what the client sends.
for (const { name } of (await client.listTools()).tools)
  console.log(name, await client.callTool({ name, arguments: {} }).catch(String))
await client.close()
over.abort()
await person
await rm(workdir, { recursive: true })
