import { randomUUID } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

/** What the model writes in one message. */
export type Block =
  | { type: 'text'; text: string }
  | { type: 'thinking'; thinking: string }
  | { type: 'tool_use'; id: string; name: string; input: unknown }

export const text = (words: string): Block => ({ type: 'text', text: words })
export const thought = (words: string): Block => ({ type: 'thinking', thinking: words })

/** A tool call; the binary remembers ids, so each is a new one. */
export const call = (name: string, input: unknown) => ({
  type: 'tool_use' as const,
  id: `toolu_${randomUUID().replaceAll('-', '')}`,
  name,
  input,
})

/** What a client of the Messages API sends, as far as tests look at it. */
interface MessagesRequest {
  messages: { role: string; content: string | SentBlock[] }[]
  tools?: { name: string; description?: string; input_schema?: { properties?: Record<string, unknown> } }[]
  system?: unknown
}

interface SentBlock {
  type: string
  text?: string
  tool_use_id?: string
  content?: string | { text?: string }[]
  is_error?: boolean
}

/** A stand-in for the Messages API on loopback: it plays the model, message by message. */
export interface MessagesApi {
  url: string
  /** The conversation's requests, without what the binary asks beside it. */
  requests: MessagesRequest[]
  /** What the model was told of a tool call, without the binary's own reminders. */
  resultOf(toolUseId: string): { text: string; isError: boolean } | undefined
  /** What the user said in the last request, without the binary's own reminders. */
  lastPrompt(): string
  close(): Promise<void>
}

/** A message of the model: as it is, or made of what the model was sent. */
export type Turn = readonly Block[] | ((sent: string) => readonly Block[])

/** @param turns the model's messages, one for each request; after the last it says "Done." */
export async function startMessagesApi(turns: readonly Turn[]): Promise<MessagesApi> {
  const requests: MessagesRequest[] = []
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') return response.writeHead(request.method === 'HEAD' ? 200 : 404).end()
    const body = (await json(request)) as MessagesRequest
    if (request.url?.includes('count_tokens')) return response.end('{"input_tokens":1}')
    // Titles and summaries are asked for without tools.
    const isConversation = (body.tools ?? []).length > 0
    if (isConversation) requests.push(body)
    const turn = (isConversation && turns[requests.length - 1]) || [text('Done.')]
    sendMessage(response, typeof turn === 'function' ? turn(JSON.stringify(body)) : turn)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const blocks = (): SentBlock[] =>
    requests
      .flatMap(({ messages }) => messages)
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    resultOf(toolUseId) {
      const result = blocks().find(({ tool_use_id }) => tool_use_id === toolUseId)
      if (!result) return undefined
      const { content = '', is_error = false } = result
      const whole = typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('\n')
      return { text: withoutReminders(whole), isError: is_error }
    },
    lastPrompt() {
      const last = requests.at(-1)?.messages.at(-1)?.content ?? ''
      const parts = typeof last === 'string' ? [last] : last.map((part) => part.text ?? '')
      return parts.map(withoutReminders).filter(Boolean).join('\n')
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const withoutReminders = (words: string): string =>
  words.replaceAll(/<system-reminder>.*?<\/system-reminder>/gs, '').trim()

/** Streams a message as the API does, each text and each input in two pieces. */
function sendMessage(response: ServerResponse, content: readonly Block[]): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const send = (type: string, fields: object = {}): void => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`)
  }
  const usage = {
    input_tokens: 10,
    cache_creation_input_tokens: 2,
    cache_read_input_tokens: 30,
    output_tokens: 1,
  }
  const stop_reason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn'
  const message = {
    id: `msg_${randomUUID()}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
  }

  send('message_start', {
    message: { ...message, content: [], stop_reason: null, stop_sequence: null, usage },
  })
  content.forEach((block, index) => {
    const [content_block, ...deltas] = piecesOf(block)
    send('content_block_start', { index, content_block })
    for (const delta of deltas) send('content_block_delta', { index, delta })
    send('content_block_stop', { index })
  })
  send('message_delta', { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } })
  send('message_stop')
  response.end()
}

/** How a block begins, and what follows. */
function piecesOf(block: Block): object[] {
  switch (block.type) {
    case 'text':
      return [
        { type: 'text', text: '' },
        ...halves(block.text).map((half) => ({ type: 'text_delta', text: half })),
      ]
    case 'thinking':
      return [
        { type: 'thinking', thinking: '', signature: '' },
        ...halves(block.thinking).map((half) => ({ type: 'thinking_delta', thinking: half })),
        { type: 'signature_delta', signature: 'c2ln' },
      ]
    case 'tool_use':
      return [
        { ...block, input: {} },
        ...halves(JSON.stringify(block.input)).map((half) => ({
          type: 'input_json_delta',
          partial_json: half,
        })),
      ]
  }
}

const halves = (words: string): string[] => {
  const middle = Math.ceil(words.length / 2)
  return [words.slice(0, middle), words.slice(middle)]
}
