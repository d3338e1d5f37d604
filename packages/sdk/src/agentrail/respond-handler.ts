import { parseAnswer } from '@sandagent/core/dialects/agentrail'
import {
  AskError,
  filledText,
  invalid,
  parseWith,
  type QuestionView,
  questionDigestOf,
  systemClock,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { channelOf } from '../answers/sandbox-channel.ts'
import { logError } from '../answers/warnings.ts'
import { type AnswerHandlerOptions, createAnswerHandler } from '../http/answer-handler.ts'
import { errorResponse } from '../http/http-errors.ts'
import { withPeerOf } from '../http/peer.ts'
import { readJsonBody } from '../http/read-json-body.ts'
import { namedQuestion, onlyOne, waitingIn } from './session-questions.ts'

export interface RespondHandlerOptions extends Omit<AnswerHandlerOptions, 'olderRunners' | 'links'> {
  /**
   * Refuses answers that do not name their question. A page that was left open then cannot answer a later question in
   * place of its own. Default false, as AgentRail's pages name none.
   */
  requireToolCallId?: boolean
}

export interface RespondHandler {
  /**
   * Stores the answer in the body, `{ kind?: "question", answer, toolCallId? }`: 200 `{ ok: true }`, 400 for a body that
   * is no answer, 403, 404 when nothing waits, 409 when several wait and none is named, or another answer came first,
   * 410 when the question ended without this answer. Errors have the body of `createAnswerHandler`'s.
   */
  POST: (request: Request) => Promise<Response>
}

const bodySchema = v.object({
  kind: v.optional(v.literal('question')),
  answer: filledText,
  toolCallId: v.optional(filledText),
})

/**
 * Makes the route `POST /api/sessions/:sessionId/respond` of AgentRail, on web `Request` and `Response`. Whether a
 * caller may answer is decided as in `createAnswerHandler`; the session is the `runId` of the record.
 *
 * @throws AskError `FORBIDDEN` in production without `authorize`.
 */
export function createRespondHandler({
  requireToolCallId = false,
  ...options
}: RespondHandlerOptions): RespondHandler {
  const { sandbox, signingKeys, clock = systemClock, onError = logError } = options
  const answers = createAnswerHandler(options)

  const respond = async (request: Request): Promise<Response> => {
    const sessionId = sessionIn(request.url)
    const { answer, toolCallId } = parseWith(bodySchema, await readJsonBody(request), 'INVALID_REQUEST', WHAT)
    if (requireToolCallId && toolCallId === undefined)
      throw invalid('INVALID_REQUEST', WHAT, [{ path: 'toolCallId', expected: 'the id of the question' }])

    // What waits is looked up as the caller may see it, so that nobody learns of another's questions.
    const seen = await answers.GET(asked(request, toolCallId))
    if (!seen.ok) return seen
    const channel = channelOf(typeof sandbox === 'function' ? await sandbox(request) : sandbox, {
      clock,
      signingKeys,
    })
    const record =
      toolCallId === undefined
        ? onlyOne(visible(await waitingIn(channel, sessionId), (await seen.json()) as QuestionList))
        : await namedQuestion(channel, sessionId, toolCallId)
    if (!record) throw new AskError('NOT_FOUND', 'No such question of this session waits')

    const given = parseAnswer(record.questions, { kind: 'question', answer })
    const bound = { toolCallId: record.toolCallId, questionDigest: questionDigestOf(record), ...given }
    const stored = await answers.POST(answered(request, bound))
    return stored.ok ? Response.json({ ok: true }, { headers: { 'cache-control': 'no-store' } }) : stored
  }
  const guarded = (request: Request): Promise<Response> =>
    respond(request).catch((error) => errorResponse(error, onError))
  return { POST: guarded }
}

const WHAT = 'This is no answer'

function sessionIn(url: string): string {
  const session = /\/sessions\/([^/]+)\/respond\/?$/.exec(new URL(url).pathname)?.[1]
  try {
    if (session !== undefined) return decodeURIComponent(session)
  } catch {
    // Not an encoded id, and so nobody's.
  }
  throw new AskError('NOT_FOUND', 'No such session')
}

/** What `createAnswerHandler` gives of all questions. */
interface QuestionList {
  questions: QuestionView[]
}

const visible = <T extends { toolCallId: string }>(records: readonly T[], { questions }: QuestionList): T[] =>
  records.filter(({ toolCallId }) => questions.some((view) => view.toolCallId === toolCallId))

/** The caller's request to see a question, or all of theirs. */
function asked(request: Request, toolCallId: string | undefined): Request {
  const url = new URL(request.url)
  url.searchParams.delete('toolCallId')
  if (toolCallId !== undefined) url.searchParams.set('toolCallId', toolCallId)
  const headers = new Headers(request.headers)
  headers.delete('accept')
  return withPeerOf(new Request(url, { headers }), request)
}

/** The caller's request to store an answer. */
function answered(request: Request, body: unknown): Request {
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  return withPeerOf(
    new Request(request.url, { method: 'POST', headers, body: JSON.stringify(body) }),
    request,
  )
}
