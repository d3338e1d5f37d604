import { join } from 'node:path'
import { AskError, checkOptions, invalid, type OptionNames, systemClock } from '@sandagent/core/internal'
import { logWarning } from '../answers/warnings.ts'
import { type AccessOptions, createAccess } from '../http/access.ts'
import { createAnswerHandler } from '../http/answer-handler.ts'
import type { OriginCheck } from '../http/origin-check.ts'
import { errorResponse } from '../http/replies.ts'
import { type NodeHandler, toNodeHandler, type WebHandler } from '../http/to-node-handler.ts'
import { attemptPaths } from '../run-records/run-paths.ts'
import type { Run } from '../runs/run.ts'
import { checkAgentName, type RunnerCommand } from '../runs/start/run-request.ts'
import { startRun } from '../runs/start/start-run.ts'
import { RUN_STREAM_HEADERS, streamRun } from '../runs/stream-run.ts'
import { ISOLATION_LEVELS, type IsolationLevel } from '../sandbox/isolation/isolation.ts'
import { LocalSandbox } from '../sandbox/local-sandbox.ts'
import { type AgentChat, readChatRequest, readMessages } from './chat-request.ts'
import { runsInChat, startInChat } from './chat-run.ts'

/** What isolated programs may reach. */
export interface AgentsIsolation {
  /** Default `auto`. */
  level?: IsolationLevel | undefined
  /** See `LocalSandboxOptions`. */
  hosts?: readonly string[] | undefined
  readable?: readonly string[] | undefined
  /** Names of variables of this process that the agent gets, such as `OPENAI_API_KEY`. */
  env?: readonly string[] | undefined
}

export interface AgentsOptions extends OriginCheck, Pick<AccessOptions, 'peerAddress'> {
  /**
   * The agent: a program and its arguments, such as `['node', 'agent.mjs']`, a name as `sandagent run --agent` takes it, or a
   * function of this process that replies, such as `(chat) => askingStream({ model, ...chat })`.
   */
  agent: string | readonly [string, ...string[]] | ((chat: AgentChat) => Promise<Response>)
  /** The folder where the agent of this request works: one for each user, or for each chat. Default `workspace`. */
  folder?: string | ((request: Request) => string | Promise<string>) | undefined
  /**
   * Who sends the request; `null` for nobody known. Whatever is asked in their folder is theirs to answer. Required in
   * production. Default: all programs on this machine may.
   */
  user?: ((request: Request) => string | null | Promise<string | null>) | undefined
  isolation?: AgentsIsolation | undefined
  /** See `RunRequest`. Default: the `sandagent` that is installed beside this package. */
  runner?: RunnerCommand | undefined
}

const NAMES: OptionNames<AgentsOptions> = {
  agent: true,
  folder: true,
  user: 'function',
  isolation: true,
  runner: true,
  allowedHosts: true,
  allowedOrigins: true,
  peerAddress: 'function',
}

const ISOLATION: OptionNames<AgentsIsolation> = {
  level: ISOLATION_LEVELS,
  hosts: 'list',
  readable: 'list',
  env: 'list',
}

/** One way in for all requests of pages. */
export interface Agents {
  /**
   * `POST …/chat` starts an agent and streams it, `GET …/chat/ID/stream` goes on with it after a reload. `GET …/answer` and
   * `POST …/answer` are those of `createAnswerHandler`.
   */
  web: { GET: WebHandler; POST: WebHandler }
  /** The same for Express, `http.createServer` and `pages/api`. */
  node: NodeHandler
}

/**
 * A server's agents: each request's user has a folder, where an agent works and asks.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, `FORBIDDEN` in production without `user`
 */
export function createAgents(options: AgentsOptions): Agents {
  checkOptions('createAgents', options, NAMES)
  const { agent, folder = 'workspace', user, isolation = {}, runner, ...access } = options
  checkOptions('createAgents: isolation', isolation, ISOLATION)
  if (!isAgent(agent))
    throw invalid('INVALID_REQUEST', 'createAgents', [
      {
        path: 'agent',
        expected:
          'a program and its arguments, such as ["node", "agent.mjs"], a name such as "claude", or a function',
      },
    ])
  if (typeof agent === 'string') checkAgentName('createAgents', { agent, runner })
  if (typeof folder !== 'string' && typeof folder !== 'function')
    throw invalid('INVALID_REQUEST', 'createAgents', [
      { path: 'folder', expected: 'the path of a folder, or a function that finds it for a request' },
    ])
  if (!user && process.env.NODE_ENV === 'production')
    throw new AskError('FORBIDDEN', 'In production createAgents needs `user`: it says who sends a request')
  const { level, env, ...reach } = isolation

  const userOf =
    user &&
    (async (request: Request): Promise<string> => {
      const name = await user(request)
      // A program without types may give `undefined` or an empty name for nobody.
      if (!name) throw new AskError('UNAUTHENTICATED', 'Sign in first')
      return name
    })
  const sandboxOf = async (request: Request): Promise<LocalSandbox> => {
    const workdir = typeof folder === 'string' ? folder : await folder(request)
    // An empty path would be the folder of this server.
    if (!workdir) throw new TypeError('createAgents: `folder` returned no path for a request')
    return new LocalSandbox({ workdir, isolation: level, ...reach })
  }
  const allowed = {
    ...access,
    ...(userOf && { authorize: async (request: Request) => ({ answeredBy: await userOf(request) }) }),
  }
  const { refuseStrangers } = createAccess(allowed, systemClock)
  const answers = createAnswerHandler({
    ...allowed,
    async sandbox(request) {
      await userOf?.(request)
      return sandboxOf(request)
    },
  })

  const stream = async (sandbox: LocalSandbox, runId: string, from?: string | null): Promise<Response> =>
    new Response(await streamRun(sandbox, runId, { from }), { headers: RUN_STREAM_HEADERS })

  const start = async (request: Request): Promise<Response> => {
    const owner = await userOf?.(request)
    if (typeof agent === 'function') {
      const sent = await readMessages(request)
      return agent({ folder: (await sandboxOf(request)).workdir, owner, ...sent })
    }
    const { prompt, chat } = await readChatRequest(request)
    const sandbox = await sandboxOf(request)
    const [name, args] = typeof agent === 'string' ? [agent] : ['command', ['--', ...agent]]
    const run = { agent: name, args, prompt, owner, runner, passEnv: env }
    const { runId } = await (chat === undefined
      ? startRun(sandbox, run, { onEnd: tellFailure(sandbox) })
      : startInChat(sandbox, chat, run, { onEnd: tellFailure(sandbox) }))
    return stream(sandbox, runId)
  }

  const resume = async (request: Request, chat: string): Promise<Response> => {
    const owner = await userOf?.(request)
    const sandbox = await sandboxOf(request)
    if (typeof agent === 'function') return agent({ folder: sandbox.workdir, owner, chatId: chat })
    const { runs, running } = await runsInChat(sandbox, chat, owner)
    const from = request.headers.get('last-event-id')
    // Who has a part of it reads the rest, even if it has ended meanwhile.
    const run = running ?? (from === null ? undefined : runs.at(-1))
    return run ? stream(sandbox, run.runId, from) : new Response(null, { status: 204 })
  }

  /** The handlers may stand below any path. */
  const route =
    (method: 'GET' | 'POST'): WebHandler =>
    async (request) => {
      const path = new URL(request.url).pathname
      if (/\/answer\/?$/.test(path)) return answers[method](request)
      try {
        refuseStrangers(request)
        const chat = /\/chat\/([^/]+)\/stream\/?$/.exec(path)?.[1]
        if (method === 'POST' && /\/chat\/?$/.test(path)) return await start(request)
        if (method === 'GET' && chat !== undefined) return await resume(request, idIn(chat))
        throw new AskError('NOT_FOUND', 'There are POST chat, GET chat/ID/stream, GET answer and POST answer')
      } catch (error) {
        return errorResponse(error)
      }
    }

  const web = { GET: route('GET'), POST: route('POST') }
  return { web, node: toNodeHandler(web) }
}

/** A page learns only that its agent failed. The server's console has the error, and where all of it is. */
const tellFailure =
  (sandbox: LocalSandbox) =>
  ({ runId, attempt, state, reason }: Run): void => {
    if (state !== 'failed' && state !== 'crashed') return
    const { errors } = attemptPaths(sandbox, runId, attempt)
    const message = `An agent failed: ${reason ?? 'it printed no error'}. All of its errors: ${join(sandbox.workdir, errors)}`
    logWarning({ code: 'FAILED', message })
  }

const isAgent = (agent: unknown): boolean =>
  typeof agent === 'function' ||
  (typeof agent === 'string'
    ? /^\S+$/.test(agent)
    : Array.isArray(agent) && agent.length > 0 && agent.every((word) => typeof word === 'string'))

/** @throws AskError `INVALID_REQUEST` for what cannot be decoded */
function idIn(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch (cause) {
    throw new AskError('INVALID_REQUEST', 'The id of the chat cannot be read', { cause })
  }
}
