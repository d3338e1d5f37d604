// An agent of Mastra as a server of AG-UI: @ag-ui/mastra translates. Its model is played: it calls the tool `whereTo`, which
// suspends with its question, and then says what the tool returned. It prints its address. Mastra needs Node 22.13.

import { once } from 'node:events'
import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { MastraAgent } from '@ag-ui/mastra'
import { Mastra } from '@mastra/core'
import { Agent } from '@mastra/core/agent'
import { InMemoryStore } from '@mastra/core/storage'
import { createTool } from '@mastra/core/tools'
import { simulateReadableStream } from 'ai-5'
import { MockLanguageModelV2 } from 'ai-5/test'
import { z } from 'zod'

const finish = (finishReason) => ({
  type: 'finish',
  finishReason,
  usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
})
const say = (delta) => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta },
  { type: 'text-end', id: 't' },
  finish('stop'),
]
const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'whereTo', input: '{"trip":"summer"}' }
const model = new MockLanguageModelV2({
  async doStream({ prompt }) {
    const result = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : [])).at(-1)
    const parts = result ? say(`told ${JSON.stringify(result.output.value)}`) : [call, finish('tool-calls')]
    return {
      stream: simulateReadableStream({ chunks: [{ type: 'stream-start', warnings: [] }, ...parts] }),
    }
  },
})
const whereTo = createTool({
  id: 'whereTo',
  description: 'Asks where to go',
  inputSchema: z.object({ trip: z.string() }),
  suspendSchema: z.object({ message: z.string() }),
  resumeSchema: z.object({ where: z.array(z.enum(['Paris, north', 'Rome'])), why: z.string().optional() }),
  async execute(_, { agent }) {
    return agent.resumeData ?? agent.suspend({ message: 'Where to in summer?' })
  },
})
const agent = new Agent({ id: 'planner', name: 'planner', instructions: 'Plan', model, tools: { whereTo } })
const mastra = new Mastra({ agents: { planner: agent }, storage: new InMemoryStore(), logger: false })

const server = createServer(async (request, response) => {
  const input = await json(request)
  const served = new MastraAgent({ agentId: 'planner', agent: mastra.getAgent('planner'), resourceId: 'r' })
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  served.run(input).subscribe({
    next: (event) => response.write(`data: ${JSON.stringify(event)}\n\n`),
    error: (error) => response.destroy(error),
    complete: () => response.end(),
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
console.log(`http://127.0.0.1:${server.address().port}/agent`)
