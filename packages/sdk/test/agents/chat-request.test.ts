import { expect, it } from 'vitest'
import { readChatRequest } from '../../src/agents/chat-request.ts'

const requestOf = (body: string): Request =>
  new Request('http://localhost/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })

const message = (text: string) => ({ role: 'user', parts: [{ type: 'text', text }] })

it('a chat may have grown long: pages send all of it each time', async () => {
  const messages = [message('x'.repeat(3_000_000)), message('And now?')]
  const request = requestOf(JSON.stringify({ id: 'c1', messages }))
  expect(await readChatRequest(request)).toEqual({ prompt: 'And now?', chat: 'c1' })
})

it.each([
  ['no JSON', '{', 'INVALID_REQUEST'],
  ['neither a prompt nor messages', '{"id":"c1"}', 'INVALID_REQUEST'],
  ['more than fits', JSON.stringify({ prompt: 'x'.repeat(5_000_000) }), 'TOO_LARGE'],
])('%s is refused', async (_, body, code) => {
  await expect(readChatRequest(requestOf(body))).rejects.toMatchObject({ code })
})
