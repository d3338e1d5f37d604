import {
  AskError,
  checkOptions,
  invalid,
  type OptionNames,
  routeOf,
  systemClock,
} from '@sandagent/core/internal'
import type { AnswerApiOptions, Run, WebHandler } from '@sandagent/sdk/internal'
import {
  channelOf,
  createAccess,
  createAnswerHandler,
  EVENT_STREAM_HEADERS,
  errorResponse,
  jsonReply,
  limitIn,
  logError,
  logWarning,
  onceEach,
  parsePolicy,
  RUN_STREAM_HEADERS,
  replyTo,
} from '@sandagent/sdk/internal'
import { createInbox, INBOX_OPTIONS, type Inbox, type InboxOptions, lookAround } from './create-inbox.ts'
import { type AuthorizeInbox, createInboxCaller, type InboxCaller } from './inbox-caller.ts'
import { listGrants, revokeGrant } from './inbox-grants.ts'
import { type InboxQuestion, rankAt } from './inbox-question.ts'
import type { RunInContext } from './inbox-run.ts'
import { type PatienceOptions, patiently, sandboxesOf, sandboxIn } from './inbox-sandbox.ts'
import { statisticsOf } from './inbox-statistics.ts'
import { inboxStream } from './inbox-stream.ts'
import { type InboxList, type InboxListOptions, listPast, listWaiting } from './list-inbox.ts'
import { NO_WORK, type RunWork } from './run-work.ts'

export interface InboxHandlerOptions
  extends InboxOptions,
    Pick<AnswerApiOptions, 'allowedHosts' | 'allowedOrigins' | 'peerAddress' | 'onError' | 'links'> {
  /**
   * Decides whether the caller may see a sandbox, or see and answer a question. Like `authorize` of `createAnswerHandler`.
   * Default: all programs on this machine may; with `links`, nobody without a link. Required in production.
   */
  authorize?: AuthorizeInbox | undefined
}

const NAMES: OptionNames<InboxHandlerOptions> = {
  ...INBOX_OPTIONS,
  onError: 'function',
  authorize: 'function',
  links: true,
  peerAddress: 'function',
  allowedHosts: 'list',
  allowedOrigins: 'list',
}

/** The reply to `GET question`: a question, and what its agent did before. */
export interface QuestionInContext extends InboxQuestion, RunWork {
  /** Absent if no host started the run. */
  run?: Run
}

/**
 * Serves an inbox, below one path of the host: `GET questions`, `history`, `question`, `statistics`, `runs`, `run` and `log`;
 * with grants, `GET grants` and `POST revoke`. `answer` is the answer API of the sandbox that the query names: `?sandbox=ID`.
 * It alone takes answer links.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, `FORBIDDEN` in production without `authorize`.
 */
export function createInboxHandler(options: InboxHandlerOptions): WebHandler {
  checkOptions('createInboxHandler', options, NAMES)
  const { sandboxes, links, grants, passkeys, patienceMs, signingKeys, clock = systemClock } = options
  const authorize = options.authorize ?? (links && (() => false))
  const policy = options.policy && parsePolicy(options.policy)
  const { allowedHosts, allowedOrigins, peerAddress, onDecision, onError = logError } = options
  const onWarning = options.onWarning ? onceEach(options.onWarning) : logWarning
  const inboxOptions = { patienceMs, signingKeys, grants, passkeys, onWarning, clock }
  const around = lookAround(inboxOptions)
  const common = { allowedHosts, allowedOrigins, peerAddress, signingKeys }
  const answers = createAnswerHandler({
    ...common,
    links,
    policy,
    grants,
    passkeys,
    sandboxId: (request) => new URL(request.url).searchParams.get('sandbox') ?? undefined,
    sandbox: async (request) => sandboxIn(await sandboxesOf(sandboxes), sandboxIdIn(request)).sandbox,
    authorize:
      authorize &&
      ((request, { toolCallId, record }) =>
        authorize(request, { sandboxId: sandboxIdIn(request), toolCallId, ...(record && { record }) })),
    ...{ onDecision, onWarning, onError, clock },
  })
  const access = createAccess({ ...common, authorize: authorize && (() => false) }, clock)
  const callerOf = (request: Request, onFailure?: () => void): InboxCaller =>
    createInboxCaller(request, {
      ...{ sandboxes, authorize, policy, grants, passkeys, clock, onFailure, onWarning },
    })
  /** An inbox of the sandboxes that the caller may see. */
  const inboxFor = async (request: Request, caller = callerOf(request)): Promise<Inbox> =>
    createInbox({ ...inboxOptions, sandboxes: await caller.sandboxes() })

  const listed = async (
    request: Request,
    list: typeof listWaiting,
    page: InboxListOptions,
    patience: Partial<PatienceOptions> = {},
  ): Promise<InboxList> => {
    const caller = callerOf(request)
    const looking = { ...around, ...patience, show: caller.show }
    const found = await list(await caller.sandboxes(), page, looking)
    if (caller.failure) throw caller.failure.error
    return found
  }

  const stream = async (request: Request): Promise<Response> => {
    await callerOf(request).sandboxes()
    const body = inboxStream({
      sandboxes,
      around,
      callerWith: (onFailure) => callerOf(request, onFailure),
      list: () =>
        listed(
          request,
          listWaiting,
          { limit: MOST_LISTED },
          around.patienceMs > FIRST_LIST_MS ? FIRST_LIST : {},
        ),
      clock,
      onError,
    })
    return new Response(body, { headers: EVENT_STREAM_HEADERS })
  }

  /** For `catch`: a question is shown without its run if that cannot be read. */
  const orWithout =
    <T>(value: T) =>
    (error: unknown): T => {
      if (!(error instanceof AskError)) onError(error)
      return value
    }

  const inContext = async (request: Request): Promise<QuestionInContext> => {
    const caller = callerOf(request)
    const inbox = await inboxFor(request, caller)
    const sandbox = sandboxIn(await inbox.sandboxes(), sandboxIdIn(request))
    const toolCallId = parameter(request, 'toolCallId')
    const state = await patiently(() => channelOf(sandbox.sandbox, around.host).read(toolCallId), around)
    const question = await caller.show(sandbox, state)
    if (caller.failure) throw caller.failure.error
    if (!state.record) throw new AskError('NOT_FOUND', 'No such question is asked')
    if (!question) throw new AskError('FORBIDDEN', 'This question is not yours to see')
    const { runId } = state.record
    const [found, work] = await Promise.all([
      inbox.run(sandbox.id, runId).catch(orWithout(null)),
      inbox.lastWork(sandbox.id, runId).catch(orWithout(NO_WORK)),
    ])
    return { ...question, ...(found && { run: found.run }), ...work }
  }

  const run = async (request: Request): Promise<RunInContext> => {
    const [inbox, id] = [await inboxFor(request), sandboxIdIn(request)]
    const runId = parameter(request, 'runId')
    const found = await inbox.run(id, runId)
    return { ...found, ...(await inbox.lastWork(id, runId, { limit: MOST_MESSAGES })) }
  }

  const log = async (request: Request): Promise<Response> => {
    const inbox = await inboxFor(request)
    const from = request.headers.get('last-event-id')
    const events = await inbox.log(sandboxIdIn(request), parameter(request, 'runId'), { from, onError })
    return new Response(events, { headers: RUN_STREAM_HEADERS })
  }

  const routes: Readonly<Record<string, WebHandler>> = {
    questions: async (request) =>
      request.headers.get('accept')?.includes('text/event-stream')
        ? stream(request)
        : jsonReply(await listed(request, listWaiting, pageIn(request))),
    history: async (request) => jsonReply(await listed(request, listPast, pageIn(request))),
    question: async (request) => jsonReply(await inContext(request)),
    statistics: async (request) =>
      jsonReply(await statisticsOf((page) => listed(request, listPast, page), clock.now())),
    runs: async (request) => jsonReply(await (await inboxFor(request)).runs()),
    run: async (request) => jsonReply(await run(request)),
    log,
    ...(grants && {
      grants: async (request) => jsonReply(await listGrants(grants, asked(request))),
    }),
  }
  const asked = (request: Request) => ({ request, caller: callerOf(request), authorize })

  return async (request) => {
    const { method, name } = routeOf(request)
    if (name === 'answer' && method === 'POST') return answers.POST(request)
    if (name === 'answer' && method === 'GET') return answers.GET(request)
    try {
      access.refuseStrangers(request)
      if (grants && name === 'revoke' && method === 'POST')
        return jsonReply(await revokeGrant(grants, asked(request)))
      const route = Object.hasOwn(routes, name) ? routes[name] : undefined
      if (!route) throw new AskError('NOT_FOUND', 'An inbox has no such route')
      if (method === 'GET') return await replyTo(request, await route(request))
      return new Response(null, { status: 405, headers: { allow: 'GET, HEAD' } })
    } catch (error) {
      return errorResponse(error, onError)
    }
  }
}

/** How long a stream waits for a sandbox before its first list, in milliseconds: what comes later comes as a change. */
const FIRST_LIST_MS = 800
const FIRST_LIST = { patienceMs: FIRST_LIST_MS, late: 'It is still being read' }

/** The most questions of one page, and of the list that a stream begins with. */
const MOST_LISTED = 1000

/** The longest search, in characters. */
const MAX_SEARCH_CHARS = 200

/** The most messages of a run that is shown by itself. */
const MOST_MESSAGES = 200

/** @throws AskError `INVALID_REQUEST` */
function parameter(request: Request, name: string): string {
  const value = new URL(request.url).searchParams.get(name)
  if (value) return value
  throw invalid('INVALID_REQUEST', 'This request says too little', [
    { path: name, expected: 'a parameter of the query' },
  ])
}

const sandboxIdIn = (request: Request): string => parameter(request, 'sandbox')

/** @throws AskError `INVALID_REQUEST` for a wrong `limit` or `cursor`, or a `search` that is too long. */
function pageIn(request: Request): InboxListOptions {
  const { searchParams } = new URL(request.url)
  const cursor = searchParams.get('cursor') ?? undefined
  if (cursor !== undefined) rankAt(cursor)
  const search = searchParams.get('search') ?? undefined
  if (search !== undefined && search.length > MAX_SEARCH_CHARS)
    throw invalid('INVALID_REQUEST', 'This list cannot be searched', [
      { path: 'search', expected: `at most ${MAX_SEARCH_CHARS} characters` },
    ])
  return { limit: limitIn(searchParams, MOST_LISTED) ?? MOST_LISTED, cursor, search }
}
