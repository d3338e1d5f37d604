import { once } from 'node:events'
import { type Agent, request } from 'node:http'

/** Sends an answer as a page does, and waits for the whole response. */
export async function postAnswer(agent: Agent, port: number, toolCallId: string): Promise<void> {
  const body = JSON.stringify({
    toolCallId,
    status: 'completed',
    responses: { q1: { selected: ['Python'], source: 'human' } },
  })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path: '/', headers })
  sent.end(body)
  const [response] = await once(sent, 'response')
  let text = ''
  for await (const chunk of response) text += chunk
  if (response.statusCode !== 200) throw new Error(`The host answered ${response.statusCode}: ${text}`)
}
