// An agent with an MCP server that asks the user.   node examples/mcp/client.mjs FOLDER TOOL COMMAND [ARGUMENT…]
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createFileRunnerChannel } from '@sandagent/files'
import { createElicitationHandler } from '@sandagent/runner/mcp-client'

const [workdir = 'mcp-example', tool = '', command = '', ...args] = process.argv.slice(2)

const client = new Client(
  { name: 'my-agent', version: '1.0.0' },
  { capabilities: { elicitation: { form: {}, url: {} } }, versionNegotiation: { mode: 'auto' } },
)
const channel = createFileRunnerChannel({ workdir })
const serverName = args.at(-1) ?? command
client.setRequestHandler('elicitation/create', createElicitationHandler({ channel, serverName }))

await client.connect(new StdioClientTransport({ command, args }))
// The call waits for the user, so its timeout is long.
const result = await client.callTool({ name: tool, arguments: {} }, { timeout: 24 * 60 * 60 * 1000 })
console.log(JSON.stringify(result, null, 2))
await client.close()
