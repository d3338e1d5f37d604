import {
  AskError,
  checkOptions,
  filledText,
  invalid,
  type OptionNames,
  parseWith,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import { ANSWER_API_OPTIONS, type AnswerApiOptions, createAnswerApi } from '../http/answer-api.ts'
import { readJsonBody } from '../http/read-json-body.ts'
import { jsonText } from '../http/replies.ts'
import { answerTo, isOf, onlyOne } from './session-questions.ts'

export interface RespondHandlerOptions extends Omit<AnswerApiOptions, 'links'> {
  /** Refuses answers without a `toolCallId`: a stale page could answer a later question. Default false, as in AgentRail. */
  requireToolCallId?: boolean | undefined
}

const { links: _, ...COMMON } = ANSWER_API_OPTIONS
const NAMES: OptionNames<RespondHandlerOptions> = { ...COMMON, requireToolCallId: true }

export interface RespondHandler {
  /**
   * Stores the answer in the body, `{ kind?: "question", answer, toolCallId? }`, and responds with `{ ok: true }`. A vote
   * under a policy has `missingVotes` beside it: so many more people must give the same. Errors
   * have the body of `createAnswerHandler`'s: 400 for an invalid body, 403, 404 when no question waits, 409 when several
   * wait and none is named or another answer came first, 410 when the question ended without this answer.
   */
  POST: (request: Request) => Promise<Response>
}

const bodySchema = v.object({
  kind: v.optional(v.literal('question')),
  answer: filledText,
  toolCallId: v.optional(filledText),
})

/**
 * Makes the route `POST /api/sessions/:sessionId/respond` of AgentRail. The session is the `runId` of the record.
 *
 * @throws AskError `FORBIDDEN` in production without `authorize`.
 */
export function createRespondHandler(options: RespondHandlerOptions): RespondHandler {
  checkOptions('createRespondHandler', options, NAMES)
  const { requireToolCallId = false, ...apiOptions } = options
  const route = createAnswerApi(apiOptions)

  return {
    POST: route(async ({ request, list, read, store }) => {
      const sessionId = sessionIn(request.url)
      const { answer, toolCallId } = parseWith(
        bodySchema,
        await readJsonBody(request),
        'INVALID_REQUEST',
        WHAT,
      )
      if (requireToolCallId && toolCallId === undefined)
        throw invalid('INVALID_REQUEST', WHAT, [{ path: 'toolCallId', expected: 'the id of the question' }])
      // Only what the caller may see is searched. So nobody learns of other people's questions.
      const seen = toolCallId === undefined ? (await list()).questions : [await read(toolCallId)]
      const question = onlyOne(seen.map(({ state }) => state).filter(isOf(sessionId)))
      if (!question) throw new AskError('NOT_FOUND', 'No such question of this session waits')
      const { missingVotes } = await store(answerTo(question.record, answer), question)
      return jsonText({ ok: true, missingVotes })
    }),
  }
}

const WHAT = 'This is no answer'

function sessionIn(url: string): string {
  const session = /\/sessions\/([^/]+)\/respond\/?$/.exec(new URL(url).pathname)?.[1]
  try {
    if (session !== undefined) return decodeURIComponent(session)
  } catch {
    // The id is not encoded correctly, so there is no such session.
  }
  throw new AskError('NOT_FOUND', 'No such session')
}
