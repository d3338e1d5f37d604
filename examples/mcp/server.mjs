// An MCP server that lets the agent of any client ask its user.   node examples/mcp/server.mjs FOLDER
import { createServer } from 'node:http'
import { createFileRunnerChannel } from '@sandagent/files'
import { createAskMcpServer } from '@sandagent/runner/mcp'
import { toNodeHandler } from '@sandagent/sdk'

const workdir = process.argv[2] ?? 'mcp-example'
const { PORT = '4200' } = process.env

const mcp = createAskMcpServer({ channel: createFileRunnerChannel({ workdir }) })
const server = createServer(toNodeHandler(mcp.fetch))

server.listen(Number(PORT), '127.0.0.1', () => console.log('The MCP server listens on', server.address()))
const stop = async () => {
  await mcp.close() // Withdraws what is still asked.
  server.close()
  server.closeAllConnections()
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, stop)
