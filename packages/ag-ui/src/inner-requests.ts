import { type AnswerRequest, isObject, type QuestionView, readServerEvents } from '@sandagent/core/internal'
import type { Agents } from '@sandagent/sdk'
import { noteSamePeer } from '@sandagent/sdk/internal'
import type { Chunk } from './to-events.ts'

/** What `createAgents` refused, as its reply says it. */
export class Refusal extends Error {
  readonly response: Response
  readonly code: string

  constructor(response: Response, { code, message }: { code: string; message: string }) {
    super(message)
    this.response = response
    this.code = code
  }
}

/** The requests that one request of AG-UI becomes. They carry its headers, so that the same person is let in or refused. */
export interface InnerRequests {
  /** Starts the agent of a chat, or finds it at work on the same. */
  start(chat: string, message: { id: string; text: string }): Promise<AsyncIterable<Chunk>>
  /** Reads the reply of a chat from its beginning; `null` if there is none. */
  reply(chat: string): Promise<AsyncIterable<Chunk> | null>
  question(toolCallId: string): Promise<QuestionView>
  answer(answer: AnswerRequest): Promise<void>
  /** The questions that wait: the list, then each change. */
  questions(): Promise<AsyncIterable<QuestionView[]>>
}

/** @param signal ends the streams */
export function createInnerRequests(
  { GET, POST }: Agents['web'],
  request: Request,
  signal: AbortSignal,
): InnerRequests {
  const send = async (path: string, accept: string, body?: object): Promise<Response> => {
    const headers = new Headers(request.headers)
    for (const name of ['content-length', 'content-encoding', 'transfer-encoding', 'last-event-id'])
      headers.delete(name)
    headers.set('accept', accept)
    // A reader that has something gets the rest even if the run has ended: this one has nothing yet.
    if (path.endsWith('/stream')) headers.set('last-event-id', '0-0')
    if (body) headers.set('content-type', 'application/json')
    const url = new URL(path, request.url)
    const inner = new Request(url, {
      headers,
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })
    const response = await (body ? POST : GET)(noteSamePeer(inner, request))
    if (!response.ok) throw await refusalOf(response)
    return response
  }
  const events = (response: Response) => {
    const body = response.body as ReadableStream<Uint8Array<ArrayBuffer>>
    return readServerEvents(body.pipeThrough(new TransformStream(), { signal }), () => {})
  }
  async function* chunks(response: Response): AsyncGenerator<Chunk> {
    for await (const { data } of events(response)) {
      const chunk = data.startsWith('{') ? JSON.parse(data) : null
      if (isObject(chunk) && typeof chunk.type === 'string') yield chunk as Chunk
    }
  }
  return {
    async start(chat, { id, text }) {
      const messages = [{ id, role: 'user', parts: [{ type: 'text', text }] }]
      return chunks(await send('chat', 'text/event-stream', { id: chat, messages }))
    },
    async reply(chat) {
      const response = await send(`chat/${encodeURIComponent(chat)}/stream`, 'text/event-stream')
      return response.status === 204 ? null : chunks(response)
    },
    async question(toolCallId) {
      const path = `answer?${new URLSearchParams({ toolCallId })}`
      return (await (await send(path, 'application/json')).json()) as QuestionView
    },
    async answer(answer) {
      await send('answer', 'application/json', answer)
    },
    async questions() {
      const response = await send('answer', 'text/event-stream')
      return (async function* () {
        for await (const { event, data } of events(response)) {
          if (data === '') continue
          const read = JSON.parse(data)
          yield event === 'list' ? read.questions : [read]
        }
      })()
    },
  }
}

async function refusalOf(response: Response): Promise<Refusal> {
  const body = await response
    .clone()
    .json()
    // A proxy may reply with no JSON.
    .catch(() => null)
  const error = isObject(body) && isObject(body.error) ? body.error : {}
  const { code = 'INTERNAL', message = 'The host could not do this' } = error
  return new Refusal(response, { code: String(code), message: String(message) })
}
