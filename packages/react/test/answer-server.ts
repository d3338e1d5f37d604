import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { PageAnswer, Presence, QuestionView } from '@sandagent/core/internal'

/** A POST that waits for the test to let it succeed or fail. */
export interface HeldPost {
  body: PageAnswer & Record<string, unknown>
  headers: IncomingMessage['headers']
  reply(status: number, body: unknown, headers?: Record<string, string>): void
  succeed(revision?: number): void
  /** Breaks the connection off. */
  drop(): void
}

/** An answer API on loopback in the test's hands. */
export interface AnswerServer {
  url: string
  posts: HeldPost[]
  /** The headers of every request to follow a question. */
  follows: IncomingMessage['headers'][]
  /** The query of every request to follow a question. */
  queries: URLSearchParams[]
  /** The tool call ids of each open event stream; none for a stream of all that wait. */
  readonly followed: string[][]
  /** Whether a stream may follow several questions, and begins by saying so. Older hosts look at the first alone. */
  followsSeveral: boolean
  /** How many event streams are open. */
  readonly streams: number
  /** Sends a view down every open stream that follows its question, or all. */
  show(view: QuestionView): void
  /** What streams without an id begin with. */
  waiting: QuestionView[]
  /** Sends what waits down every open stream without an id. */
  list(): void
  /** Says down every open stream who has its question open. */
  meet(presence: Presence): void
  /** Ends every open stream. */
  hangUp(): void
  /** Replies to a POST as it comes, in place of the test. */
  onPost: ((post: HeldPost) => void) | undefined
  /** Takes the place of the event stream. */
  onGet: ((request: IncomingMessage, response: ServerResponse) => void) | undefined
  close(): Promise<void>
}

export async function startAnswerServer(): Promise<AnswerServer> {
  const streams = new Map<ServerResponse, string[]>()
  const posts: HeldPost[] = []
  const follows: IncomingMessage['headers'][] = []
  const queries: URLSearchParams[] = []

  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = JSON.parse(await text(request))
    const reply: HeldPost['reply'] = (status, value, headers = {}) => {
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(value))
    }
    const succeed = (revision = posts.length): void =>
      reply(200, { success: true, status: body.status, revision })
    const post: HeldPost = { body, headers: request.headers, reply, succeed, drop: () => response.destroy() }
    posts.push(post)
    answers.onPost?.(post)
  }

  const stream = (request: IncomingMessage, response: ServerResponse): void => {
    follows.push(request.headers)
    const query = new URL(request.url ?? '', 'http://localhost').searchParams
    queries.push(query)
    if (answers.onGet) {
      answers.onGet(request, response)
      return
    }
    const asked = query.getAll('toolCallId')
    const following = answers.followsSeveral ? asked : asked.slice(0, 1)
    streams.set(response, following)
    response.on('close', () => streams.delete(response))
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    if (asked.length === 0) listOn(response)
    else if (answers.followsSeveral)
      response.write(`event: following\ndata: ${JSON.stringify({ following })}\n\n`)
    response.write(': hello\n\n')
  }

  const listOn = (response: ServerResponse): void =>
    void response.write(`event: list\ndata: ${JSON.stringify({ questions: answers.waiting })}\n\n`)

  const server = createServer((request, response) => {
    if (request.method === 'POST') void take(request, response)
    else stream(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const answers: AnswerServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/answer`,
    posts,
    follows,
    queries,
    get followed() {
      return [...streams.values()]
    },
    followsSeveral: true,
    get streams() {
      return streams.size
    },
    show(view) {
      for (const [response, followed] of streams)
        if (followed.length === 0 || followed.includes(view.toolCallId))
          response.write(`data: ${JSON.stringify(view)}\n\n`)
    },
    waiting: [],
    list() {
      for (const [response, followed] of streams) if (followed.length === 0) listOn(response)
    },
    meet(presence) {
      for (const response of streams.keys())
        response.write(`event: presence\ndata: ${JSON.stringify(presence)}\n\n`)
    },
    hangUp() {
      for (const response of streams.keys()) response.end()
    },
    onPost: undefined,
    onGet: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return answers
}
