import {
  AskError,
  type Clock,
  type HostChannel,
  parseAnswerRequest,
  type QuestionRecord,
  type QuestionState,
  systemClock,
  viewOf,
} from '@sandagent/core'
import { EVENT_STREAM_HEADERS } from './event-stream.ts'
import { followable } from './followable.ts'
import { errorResponse } from './http-errors.ts'
import { questionStream } from './question-stream.ts'
import { waitingQuestions } from './questions.ts'
import { readJsonBody } from './read-json-body.ts'
import type { AnswerableSandbox } from './sandbox.ts'
import { channelOf } from './sandbox-channel.ts'
import { signerOf } from './signing/sign-answer.ts'
import type { SigningKeys } from './signing/signing-keys.ts'
import { storeAnswer } from './store-answer.ts'

/** What a caller may do with a question: nothing, all, or all under a name that is stored with the answer. */
export type Authorization = boolean | { answeredBy: string }

export interface AnswerHandlerOptions {
  /** Where the questions are, or how the caller's request leads there. */
  sandbox: AnswerableSandbox | ((request: Request) => AnswerableSandbox | Promise<AnswerableSandbox>)
  /**
   * Decides whether the caller may see and answer a question. `record` is absent for a question that nobody recorded.
   * An `AskError` with the code `UNAUTHENTICATED` or `FORBIDDEN` may say more than `false`. Without this function
   * everybody who reaches the handler may answer.
   */
  authorize?: (
    request: Request,
    question: { toolCallId: string; record: QuestionRecord | undefined },
  ) => Authorization | Promise<Authorization>
  /** Refuses answers to questions that no runner recorded. Default false. */
  requireRecord?: boolean
  /** What signs the answers. Default: this host's own keys, if it has any; `null` stores them unsigned. */
  keys?: SigningKeys | null
  /** Told of every failure of the host itself, which clients see as a bare 500. Default `console.error`. */
  onError?: (error: unknown) => void
  clock?: Clock
}

/** Route handlers on web `Request` and `Response`, as Next.js and others take them. */
export interface AnswerHandler {
  /**
   * `?toolCallId=ID`: the question as JSON, or with `Accept: text/event-stream` as server-sent events now and after
   * every change. `?toolCallId=A&toolCallId=B…` follows up to 100 over one such stream; it begins with the event
   * `following` and its `{ following, refused: [{ toolCallId, code }] }`. Without an id: `{ questions }`, those that
   * wait for a person.
   */
  GET: (request: Request) => Promise<Response>
  /** Stores the answer, draft or refusal in the body, see `AnswerRequest`: `{ success: true, status, revision }`. */
  POST: (request: Request) => Promise<Response>
}

/** Makes the answer API of a sandbox. Errors are `{ success: false, error: { code, message, faults }, question? }`. */
export function createAnswerHandler(options: AnswerHandlerOptions): AnswerHandler {
  const { sandbox, authorize = () => true, requireRecord = false, keys, clock = systemClock } = options
  const { onError = (error: unknown) => console.error(error) } = options

  const sandboxOf = async (request: Request): Promise<AnswerableSandbox> =>
    typeof sandbox === 'function' ? sandbox(request) : sandbox

  const channelFor = async (request: Request): Promise<HostChannel> =>
    channelOf(await sandboxOf(request), clock)

  const authorized = async (request: Request, state: QuestionState): Promise<Authorization> =>
    authorize(request, { toolCallId: state.toolCallId, record: state.record })

  const allowed = async (request: Request, state: QuestionState): Promise<Exclude<Authorization, false>> => {
    const authorization = await authorized(request, state)
    if (!authorization) throw new AskError('FORBIDDEN', 'This question is not yours to answer')
    return authorization
  }

  const list = async (request: Request, channel: HostChannel): Promise<Response> => {
    const states = await waitingQuestions(channel, clock)
    const verdicts = await Promise.all(states.map((state) => authorized(request, state)))
    const visible = states.filter((_, index) => verdicts[index])
    return Response.json({ questions: visible.map((state) => viewOf(state, clock.now())) }, FRESH)
  }

  const show = async (request: Request, channel: HostChannel, toolCallId: string): Promise<Response> => {
    const state = await channel.read(toolCallId)
    await allowed(request, state)
    if (!state.record && !state.approval) throw new AskError('NOT_FOUND', 'No such question is asked')
    return Response.json(viewOf(state, clock.now()), FRESH)
  }

  /** A page may come before the runner has recorded its question, so a stream waits for an unknown one. */
  const follow = async (request: Request, channel: HostChannel, toolCallIds: string[]): Promise<Response> => {
    const { following, refused } = await followable(toolCallIds, async (toolCallId) => {
      await allowed(request, await channel.read(toolCallId))
    })
    const opening = `event: following\ndata: ${JSON.stringify({ following, refused })}\n\n`
    const stream = questionStream(channel, following, {
      clock,
      onError,
      // Pages tell by it a host that follows several questions from one that looks at the first alone.
      ...(toolCallIds.length > 1 && { opening }),
    })
    return new Response(stream, { headers: EVENT_STREAM_HEADERS })
  }

  const store = async (request: Request): Promise<Response> => {
    const answer = parseAnswerRequest(await readJsonBody(request))
    const place = await sandboxOf(request)
    const channel = channelOf(place, clock)
    const authorization = await allowed(request, await channel.read(answer.toolCallId))
    const answeredBy = authorization === true ? undefined : authorization.answeredBy
    const stored = await storeAnswer(channel, answer, {
      answeredBy,
      requireRecord,
      sign: signerOf(place, { keys, clock }),
      clock,
    })
    return Response.json({ success: true, ...stored })
  }

  const guarded =
    (handle: (request: Request) => Promise<Response>) =>
    (request: Request): Promise<Response> =>
      handle(request).catch((error) => errorResponse(error, onError))

  return {
    GET: guarded(async (request) => {
      const channel = await channelFor(request)
      const toolCallIds = [...new Set(new URL(request.url).searchParams.getAll('toolCallId'))]
      const [toolCallId] = toolCallIds
      if (toolCallId === undefined) return list(request, channel)
      if (request.headers.get('accept')?.includes('text/event-stream'))
        return follow(request, channel, toolCallIds)
      return show(request, channel, toolCallId)
    }),
    POST: guarded(store),
  }
}

const FRESH = { headers: { 'cache-control': 'no-store' } }
