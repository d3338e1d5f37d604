import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'

export interface ScriptedResponses {
  /** The base URL of OpenAI's Responses API. */
  url: string
  /** All that the model was told, as text: the input of its last request. */
  told(): string
}

/** A model of OpenAI's Responses API that says these items, a list for each request, and then that it is done. */
export async function scriptedResponses(...turns: object[][]): Promise<ScriptedResponses> {
  let told = ''
  let count = 0
  const server = createServer(async (request, response) => {
    const { input } = (await json(request)) as { input: unknown }
    told = JSON.stringify(input)
    const id = `r${++count}`
    const done = { type: 'message', id: `m${count}`, role: 'assistant', content: [text('Done.')] }
    const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }
    const events = [
      { type: 'response.created', response: { id } },
      ...(turns[count - 1] ?? [done]).map((item) => ({ type: 'response.output_item.done', item })),
      { type: 'response.completed', response: { id, usage } },
    ]
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of events) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, told: () => told }
}

const text = (said: string) => ({ type: 'output_text', text: said })

/** A call of one of the model's tools. */
export const functionCall = (call_id: string, name: string, input: object, more: object = {}): object => ({
  type: 'function_call',
  call_id,
  name,
  arguments: JSON.stringify(input),
  ...more,
})
