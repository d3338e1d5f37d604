import {
  AskError,
  ATTACHMENT_FILE,
  attachmentFileName,
  type Clock,
  checkOptions,
  filesIn,
  isSettled,
  MAX_FILE_BYTES,
  type OptionNames,
  parseAnswerFile,
  parseJson,
  parseQuestionRecord,
  parseWith,
  type QuestionRecord,
  routeOf,
  systemClock,
} from '@sandagent/core/internal'
import type { QuestionStore, StoredQuestion } from '@sandagent/core/store'
import type { FleetStore } from '@sandagent/fleet'
import { FILE_SIZE_HEADER, NEW_TOKEN_HEADER } from '@sandagent/fleet/internal'
import {
  EVENT_STREAM_HEADERS,
  errorResponse,
  eventStream,
  jsonReply,
  logError,
  readJsonText,
  replyTo,
  type SigningKeys,
  type WebHandler,
} from '@sandagent/sdk/internal'
import * as v from 'valibot'
import { createRunnerToken, keysOfFleet, type RunnerAccess, readRunnerToken } from './runner-token.ts'

export interface RunnerHandlerOptions {
  fleet: FleetStore
  /** The keys that signed the runners' tokens: all hosts of the fleet have the same. Default: this host's own. */
  signingKeys?: SigningKeys | undefined
  /** Called for failures of the store. Default: printed by `console.error`. */
  onError?: ((error: unknown) => void) | undefined
  clock?: Clock | undefined
}

const NAMES: OptionNames<RunnerHandlerOptions> = {
  fleet: true,
  signingKeys: true,
  onError: 'function',
  clock: 'clock',
}

const idsSchema = v.object({ toolCallIds: v.pipe(v.array(v.string()), v.maxLength(500)) })

interface Call {
  request: Request
  access: RunnerAccess
  /** When the token expires, in milliseconds since 1970. */
  expiresAt: number
  questions: QuestionStore
  mayRead: (stored: StoredQuestion) => boolean
}

/**
 * Serves the runners of a fleet, below one path of the host: `POST questions`, `PUT records`, `GET changes`, `GET files`. A
 * runner shows a token of its run. It may ask, read its own questions, their answers and the files in them, and nothing else.
 */
export function createRunnerHandler(options: RunnerHandlerOptions): WebHandler {
  checkOptions('createRunnerHandler', options, NAMES)
  const { fleet, onError = logError, clock = systemClock } = options

  const stale = (): Response => jsonReply({ error: 'Another version is there' }, 412)

  const read = async ({ request, questions, mayRead }: Call): Promise<Response> => {
    const text = await readJsonText(request, MAX_FILE_BYTES)
    const { toolCallIds } = parseWith(idsSchema, parseJson(text, ...WRONG), ...WRONG)
    const found = await questions.read([...new Set(toolCallIds)])
    const shown = new Map(
      found.map((stored) => [stored.toolCallId, mayRead(stored) ? stored : nothing(stored)]),
    )
    const listed = toolCallIds.map((toolCallId) => shown.get(toolCallId))
    if (listed.reduce((sum, stored) => sum + (stored ? charsOf(stored) : 0), 0) > MOST_CHARS)
      throw new AskError('TOO_LARGE', 'These questions are too long for one reply')
    return jsonReply({ questions: listed })
  }

  const write = async ({ request, access, questions, mayRead }: Call): Promise<Response> => {
    const text = await readJsonText(request, MAX_FILE_BYTES)
    const record = recordIn(text)
    if (record.runId !== access.runId)
      throw new AskError('FORBIDDEN', 'This runner may not ask in the name of another run')
    const { toolCallId, runId, askedAt } = record
    const expected = expectedVersion(request.headers)
    const [before] = await questions.read([toolCallId])
    if (before && !mayRead(before)) throw new AskError('FORBIDDEN', 'This tool call belongs to another run')
    if ((before?.record?.version ?? null) !== expected) return stale()
    const facts = { runId, askedAt, isSettled: isSettled(record) }
    const after = await questions.writeRecord(toolCallId, text, { expected, facts })
    return after ? jsonReply(after) : stale()
  }

  const follow = ({ request, expiresAt, questions, mayRead }: Call): Response =>
    new Response(
      eventStream(
        async function* (gone) {
          // The runner connects again with its new token.
          const expired = new AbortController()
          const cancelTimer = clock.after(expiresAt - clock.now(), () => expired.abort())
          const signal = AbortSignal.any([gone, expired.signal])
          try {
            for await (const changed of questions.subscribe(signal, { onlyAnswers: true }))
              yield `data: ${JSON.stringify(changed.filter(mayRead))}\n\n`
          } finally {
            cancelTimer()
          }
        },
        { clock, onError, signal: request.signal },
      ),
      { headers: EVENT_STREAM_HEADERS },
    )

  const readFile = async ({ request, questions, mayRead }: Call): Promise<Response> => {
    const { toolCallId, name, offset } = pieceIn(new URL(request.url).searchParams)
    const [stored] = await questions.read([toolCallId])
    const isNamed = stored?.record && mayRead(stored) && namesFile(stored, name)
    const piece = isNamed ? await questions.readFile?.(toolCallId, name, offset) : null
    if (!piece) throw new AskError('NOT_FOUND', 'No answer to this question has such a file')
    const headers = { ...BYTES, [FILE_SIZE_HEADER]: String(piece.size) }
    return new Response(Buffer.from(piece.bytes), { headers })
  }

  const routes: Record<string, (call: Call) => Promise<Response> | Response> = {
    'POST questions': read,
    'PUT records': write,
    'GET changes': follow,
    'GET files': readFile,
  }

  return async (request) => {
    try {
      const signing = { signingKeys: await keysOfFleet(options.signingKeys), clock }
      const { isOld, expiresAt, ...access } = await readRunnerToken(bearerOf(request.headers), signing)
      const { method, name } = routeOf(request)
      const route = routes[`${method} ${name}`]
      if (!route) throw new AskError('NOT_FOUND', 'Nothing is served here')
      const response = await route({
        request,
        access,
        expiresAt,
        questions: fleet.questions(access.namespace),
        mayRead: (stored) => isOwn(stored, access),
      })
      // What a run leaves behind in its sandbox has the token, too. Nobody knows the end of a run that no host has started.
      if (isOld && (await fleet.runs.find(access.runId))?.endedAt === undefined)
        response.headers.set(NEW_TOKEN_HEADER, await createRunnerToken(access, signing))
      return await replyTo(request, response)
    } catch (error) {
      return errorResponse(error, onError)
    }
  }
}

/** How many characters one reply carries. */
const MOST_CHARS = 16 * 1024 * 1024

const charsOf = ({ record, answer }: StoredQuestion): number =>
  (record?.text.length ?? 0) + (answer?.text.length ?? 0)

/** How a question of another run looks. */
const nothing = ({ toolCallId }: StoredQuestion): StoredQuestion => ({
  toolCallId,
  record: null,
  answer: null,
})

const WRONG = ['INVALID_REQUEST', 'This is no request of a runner'] as const

function bearerOf(headers: Headers): string {
  const [, token] = /^Bearer (\S+)$/i.exec(headers.get('authorization') ?? '') ?? []
  if (token !== undefined) return token
  throw new AskError('UNAUTHENTICATED', 'A runner shows its token, as authorization: Bearer TOKEN')
}

function expectedVersion(headers: Headers): string | null {
  if (headers.get('if-none-match') === '*') return null
  const version = parseJson(headers.get('if-match') ?? '', ...WRONG)
  return parseWith(v.string(), version, ...WRONG)
}

const BYTES = { 'content-type': 'application/octet-stream', 'cache-control': 'no-store' }

const pieceSchema = v.object({
  toolCallId: v.string(),
  name: v.pipe(v.string(), v.regex(ATTACHMENT_FILE)),
  offset: v.pipe(v.string(), v.regex(/^\d{1,9}$/), v.transform(Number)),
})

const pieceIn = (query: URLSearchParams): v.InferOutput<typeof pieceSchema> =>
  parseWith(pieceSchema, Object.fromEntries(query), ...WRONG)

/** Drafts of other people do not count: the agent gets none of them. */
const namesFile = ({ toolCallId, answer }: StoredQuestion, name: string): boolean =>
  answer !== null &&
  filesIn(parseAnswerFile(answer.text, toolCallId).responses ?? {}).some(
    (file) => attachmentFileName(file) === name,
  )

function recordIn(text: string): QuestionRecord {
  try {
    return parseQuestionRecord(text)
  } catch (cause) {
    if (!(cause instanceof AskError)) throw cause
    throw new AskError('INVALID_REQUEST', 'This is no question record', { faults: cause.faults, cause })
  }
}

/** Questions of other runs in the same namespace stay hidden. Without a record nobody knows whose an answer is. */
function isOwn({ record }: StoredQuestion, { runId, continues }: RunnerAccess): boolean {
  if (record === null) return true
  try {
    const asked = parseQuestionRecord(record.text)
    return asked.runId === runId || continues.includes(asked.runId)
  } catch {
    return false
  }
}
