import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

interface Item {
  role?: string
  type?: string
  output?: string
}

/** What the model says to what it was told: a call of the tool once for each message of the user, then the answer. */
function itemFor(input: readonly Item[]): object {
  const since = input.slice(input.findLastIndex(({ role }) => role === 'user'))
  const told = since.find(({ type }) => type === 'function_call_output')?.output
  if (told !== undefined)
    return { type: 'message', id: randomUUID(), role: 'assistant', content: [], text: `I was told: ${told}` }
  const options = [{ label: 'Staging' }, { label: 'Production' }]
  const args = { questions: [{ question: 'Where to?', options }] }
  return {
    type: 'function_call',
    id: randomUUID(),
    call_id: `call_${randomUUID()}`,
    name: 'AskUserQuestion',
    arguments: JSON.stringify(args),
  }
}

function eventsOf(item: { id?: string; type?: string; text?: string }): object[] {
  const usage = { input_tokens: 1, output_tokens: 1 }
  const delta = { type: 'response.output_text.delta', item_id: item.id, delta: item.text }
  return [
    { type: 'response.created', response: { id: randomUUID(), created_at: 1, model: 'played' } },
    { type: 'response.output_item.added', output_index: 0, item },
    ...(item.type === 'message' ? [delta] : []),
    { type: 'response.output_item.done', output_index: 0, item: { ...item, status: 'completed' } },
    { type: 'response.completed', response: { usage } },
  ]
}

/** OpenAI's Responses API with a model that asks where to deploy, until the test ends. It resolves to the base URL. */
export async function playedOpenAi(): Promise<string> {
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: Item[] }
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of eventsOf(itemFor(input))) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}
