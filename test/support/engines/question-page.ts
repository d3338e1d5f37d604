import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { extname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Outcome } from '@sandagent/core'
import { askUser } from '@sandagent/runner'
import {
  type AnswerHandlerOptions,
  createAnswerHandler,
  type LocalSandbox,
  toNodeHandler,
} from '@sandagent/sdk'
import { onTestFinished } from 'vitest'
import { KINDS } from '../../../apps/demo/src/web/gallery/kinds.ts'
import { root } from '../../../scripts/run.mjs'
import { createWorkspace } from '../workspace.ts'

/** A question that an agent asks, and the web server with the page that shows it. */
export interface QuestionPage {
  url: string
  toolCallId: string
  sandbox: LocalSandbox
  /** What the agent gets for the first call. */
  outcome: Promise<Outcome>
  /** What a browser refused because of the policy. */
  refused: string[]
  /** Resolves once the server is dead because of `diesOnAnswer`. */
  died: Promise<void>
  /** Ends the server in the middle of its work: connections break, and nobody listens. */
  kill(): Promise<void>
  /** Starts a server of the same address. It knows only what the files say. */
  start(): Promise<void>
}

export interface QuestionPageOptions extends Partial<AnswerHandlerOptions> {
  /** The page's Content-Security-Policy, default none. */
  contentPolicy?: string
  /** How long a complete answer can be taken back. Default: the form's own. */
  undoMs?: number
  /** How many calls ask it, one below the other: `call-1`, `call-2` and so on. Default 1. */
  calls?: number
  /** The server is killed when it has stored an answer, before it can reply. Default false. */
  diesOnAnswer?: boolean
}

const built = join(root, 'apps/demo/dist/web')
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' }

/** Asks one kind of the gallery's questions, for real, and serves its page until the test is over. */
export async function askOnPage(kindName: string, options: QuestionPageOptions = {}): Promise<QuestionPage> {
  const { contentPolicy, undoMs, calls = 1, diesOnAnswer = false, ...handlerOptions } = options
  const kind = KINDS[kindName]
  if (!kind) throw new Error(`The gallery has no kind "${kindName}"`)
  const { questions, subject } = kind
  const { sandbox, channel } = await createWorkspace()
  const toolCallIds = Array.from({ length: calls }, (_, index) => `call-${index + 1}`)
  const stop = new AbortController()
  const outcomes = toolCallIds.map((toolCallId) =>
    askUser(
      channel,
      {
        toolCallId,
        runId: 'run-1',
        questions,
        ...(subject && { kind: 'approval', toolName: subject.toolName, subject }),
      },
      { signal: stop.signal },
    ),
  )
  const [toolCallId = ''] = toolCallIds
  const [outcome] = outcomes
  if (!outcome) throw new Error('No calls')
  onTestFinished(async () => {
    stop.abort()
    await Promise.all(outcomes)
  })

  const refused: string[] = []
  const inHand = new Set<Promise<void>>()
  const sockets = new Set<Socket>()
  let answers = 0
  let onDeath = (): void => {}
  const died = new Promise<void>((resolve) => {
    onDeath = resolve
  })
  let server: Server
  let port = 0
  const start = async (): Promise<void> => {
    const handler = createAnswerHandler({ sandbox, ...handlerOptions })
    const handle = toNodeHandler({
      ...handler,
      async POST(request) {
        const isAnswer = request.headers.get('content-type') === 'application/json'
        const { status } = isAnswer ? await request.clone().json() : { status: 'pending' }
        const reply = await handler.POST(request)
        if (status !== 'pending') answers++
        if (diesOnAnswer && answers === 1) void kill().then(onDeath)
        return reply
      },
    })
    server = createServer(async (request, response) => {
      const { pathname } = new URL(request.url ?? '', 'http://localhost')
      if (pathname === '/api/answer') {
        const handled = handle(request, response)
        inHand.add(handled)
        return handled.finally(() => inHand.delete(handled))
      }
      if (pathname === '/refused') {
        refused.push(await text(request))
        return response.writeHead(204).end()
      }
      const path = pathname === '/' ? '/gallery.html' : pathname
      const type = TYPES[extname(path)]
      if (type === undefined) return response.writeHead(404).end()
      if (contentPolicy !== undefined)
        response.setHeader('content-security-policy', `${contentPolicy}; report-uri /refused`)
      return response.setHeader('content-type', type).end(await readFile(join(built, path)))
    })
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.once('close', () => sockets.delete(socket))
    })
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    ;({ port } = server.address() as AddressInfo)
  }
  const kill = async (): Promise<void> => {
    if (!server.listening) return
    server.close()
    for (const socket of sockets) socket.destroy()
    await once(server, 'close')
    await Promise.all(inHand)
  }
  await start()
  onTestFinished(kill)
  const query = new URLSearchParams([['kind', kindName], ...toolCallIds.map((id) => ['call', id])])
  if (undoMs !== undefined) query.set('undoMs', String(undoMs))
  const url = `http://127.0.0.1:${port}/?${query}`
  return { url, toolCallId, sandbox, outcome, refused, died, start, kill }
}
