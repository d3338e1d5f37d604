// An MCP server with one tool, `ask`: it asks the user of its client what its arguments say, and returns what it got.
import { Server } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'

const server = new Server({ name: 'eliciting', version: '1.0.0' }, { capabilities: { tools: {} } })

server.setRequestHandler('tools/list', () => ({
  tools: [
    {
      name: 'ask',
      inputSchema: { type: 'object', properties: { params: {}, timeoutMs: {} } },
      // Claude Code makes calls that change nothing at once.
      annotations: { readOnlyHint: true },
    },
  ],
}))

server.setRequestHandler('tools/call', async ({ params }, ctx) => {
  const { params: asked, timeoutMs = 600_000 } = params.arguments
  const request = { method: 'elicitation/create', params: asked }
  try {
    const result = await ctx.mcpReq.send(request, { timeout: timeoutMs })
    return { content: [{ type: 'text', text: JSON.stringify(result) }] }
  } catch (error) {
    return { content: [{ type: 'text', text: String(error) }], isError: true }
  }
})

await server.connect(new StdioServerTransport())
