import {
  checkOptions,
  type OptionNames,
  type QuestionView,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import { cursorOf, limitIn } from '../answers/list-cursor.ts'
import { ANSWER_API_OPTIONS, type AnswerApiOptions, createAnswerApi } from './answer-api.ts'
import { downloadFile, isUpload, uploadFile } from './attachment-routes.ts'
import { readJsonBody } from './read-json-body.ts'
import { jsonText } from './replies.ts'
import type { FoundQuestion } from './stream/waiting-stream.ts'

export interface AnswerHandlerOptions extends AnswerApiOptions {
  /** Takes the questions of older runners, which have no record, from the client's copy. Default false: they get 404. */
  olderRunners?: boolean | undefined
}

const NAMES: OptionNames<AnswerHandlerOptions> = { ...ANSWER_API_OPTIONS, olderRunners: true }

/** The reply to `GET` without an id. */
export interface QuestionList {
  questions: QuestionView[]
  /** Where the next list goes on. Absent if no question follows. */
  nextCursor?: string | undefined
}

/** Route handlers on web `Request` and `Response`, as for Next.js. */
export interface AnswerHandler {
  /**
   * `?toolCallId=ID`: the question as JSON, or with `Accept: text/event-stream` as server-sent events now and after every
   * change. With `&file=SHA256`: a file that its answer names. `?toolCallId=A&toolCallId=B…` streams up to 100 questions. This
   * stream begins with the event `following` and its `{ following, refused: [{ toolCallId, code }] }`. Without an id: `{
   * questions, nextCursor? }`, those that wait for a person. `?limit=N` gives up to N of them, and `&cursor=` with `nextCursor`
   * gives the next. As a stream, this is the event `list` with all of them, then the view of each that has changed, is asked or
   * no longer waits.
   */
  GET: (request: Request) => Promise<Response>
  /**
   * Stores the `AnswerRequest` in the body, a draft or a final answer: `{ success: true, status, revision }`. With
   * `?toolCallId=ID&question=ID&type=MEDIA/TYPE` and the type `application/octet-stream`, the body is a file for an answer:
   * `{ success: true, file: { mediaType, size, sha256 } }`.
   */
  POST: (request: Request) => Promise<Response>
}

/**
 * Makes the answer API of a sandbox. Errors are `{ success: false, error: { code, message, faults }, question? }`.
 *
 * @throws AskError `INVALID_REQUEST` for options that do not exist, `FORBIDDEN` in production without `authorize`.
 */
export function createAnswerHandler(options: AnswerHandlerOptions): AnswerHandler {
  checkOptions('createAnswerHandler', options, NAMES)
  const { olderRunners = false, clock = systemClock } = options
  const route = createAnswerApi(options, { needsRecord: !olderRunners })
  const shown = ({ state, viewer }: FoundQuestion): QuestionView => viewOf(state, clock.now(), viewer)
  return {
    GET: route(async ({ request, list, read, follow, followWaiting }) => {
      const { searchParams } = new URL(request.url)
      const isStream = request.headers.get('accept')?.includes('text/event-stream')
      const toolCallIds = [...new Set(searchParams.getAll('toolCallId'))]
      const [toolCallId] = toolCallIds
      if (toolCallId === undefined && isStream) return followWaiting()
      if (toolCallId === undefined) {
        const { questions, hasMore } = await list(pageOf(searchParams))
        const views = questions.map(shown)
        const last = hasMore ? views.at(-1) : undefined
        return jsonText({ questions: views, nextCursor: last && cursorOf(last) } satisfies QuestionList)
      }
      if (isStream) return follow(toolCallIds)
      if (searchParams.has('file')) return downloadFile({ request, read }, clock.now())
      return jsonText(shown(await read(toolCallId)))
    }),
    POST: route(async ({ request, read, store }) =>
      isUpload(request)
        ? uploadFile({ request, read }, clock.now())
        : jsonText({ success: true, ...(await store(await readJsonBody(request))) }),
    ),
  }
}

const MOST_LISTED = 1000

/** @throws AskError `INVALID_REQUEST` for a wrong `limit`. */
const pageOf = (parameters: URLSearchParams): { limit: number | undefined; cursor: string | undefined } => ({
  limit: limitIn(parameters, MOST_LISTED),
  cursor: parameters.get('cursor') ?? undefined,
})
