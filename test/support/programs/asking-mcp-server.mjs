// An MCP server with a tool that asks by a form, and one that changes something.

import { McpServer } from '@modelcontextprotocol/server'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'

const server = new McpServer({ name: 'travel', version: '1.0.0' })
const text = (said) => ({ content: [{ type: 'text', text: said }] })
const requestedSchema = {
  type: 'object',
  properties: { place: { type: 'string', enum: ['Paris, north', 'Rome'] } },
  required: ['place'],
}

server.registerTool('ask', { annotations: { readOnlyHint: true } }, async (ctx) =>
  text(
    JSON.stringify(await ctx.mcpReq.elicitInput({ mode: 'form', message: 'Which one?', requestedSchema })),
  ),
)
server.registerTool(
  'book',
  {
    inputSchema: z.object({ to: z.string().optional() }),
    annotations: { destructiveHint: true, readOnlyHint: false },
  },
  async ({ to = '' }) => text(`booked ${to}`),
)
await server.connect(new StdioServerTransport())
