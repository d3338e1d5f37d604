// Written from the User Choice document alone: a tool that asks before it acts, on Node's own server.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

interface Invocation {
  id: string
  group_id: string
  call_id?: string | null
  callback_url: string
  arguments: { prompt: string; choices: string[]; default: number }
}

const post = (url: string, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })

/** Answers an invocation at once, sends its choice, and ends in a `tool_result` that says what was chosen. */
export async function startTool(): Promise<{ endpoint: string; server: Server }> {
  const pending = new Map<string, Invocation>()
  const take = async (request: IncomingMessage, origin: string): Promise<void> => {
    const body = (await json(request)) as Invocation & { selected: number }
    if (request.url === '/invoke') {
      const { id, group_id, call_id = null, callback_url } = body
      pending.set(id, body)
      const { prompt, choices, default: index } = body.arguments
      await post(callback_url, {
        type: 'user_choice',
        group_id,
        id,
        call_id,
        prompt,
        choices,
        default: index,
        response_url: `${origin}/user_choice_response`,
      })
      return
    }
    const call = pending.get(body.id)
    if (!call) return
    pending.delete(body.id)
    const { id, group_id, call_id = null } = call
    const text = call.arguments.choices[body.selected] ?? 'Error: User choice flow failed. Please try again.'
    await post(call.callback_url, { type: 'tool_result', group_id, id, call_id, text })
  }
  const server = createServer((request, response) => {
    const { port } = server.address() as AddressInfo
    void take(request, `http://127.0.0.1:${port}`).catch((error) => server.emit('error', error))
    request.once('end', () => response.writeHead(200).end())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}/invoke`, server }
}
