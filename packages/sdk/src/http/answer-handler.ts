import { AsyncResource } from 'node:async_hooks'
import {
  type Clock,
  checkOptions,
  fileNameOf,
  type OptionNames,
  parseAnswerEnvelope,
  parseAnswerRequest,
  type QuestionState,
  systemClock,
  viewOf,
} from '@sandagent/core/internal'
import { arrivalTime } from '../answers/arrival-time.ts'
import { unknownQuestion } from '../answers/check-answer.ts'
import { waitingQuestions } from '../answers/questions.ts'
import { channelOf } from '../answers/sandbox-channel.ts'
import { storeAnswer } from '../answers/store-answer.ts'
import { logError, logWarning, type OnWarning, onceEach } from '../answers/warnings.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { linkUsed } from '../signing/answer-link.ts'
import { signerOf } from '../signing/sign-answer.ts'
import { type AccessOptions, createAccess } from './access.ts'
import { type Decision, type DecisionFacts, decisionOf, outcomeOfError } from './audit.ts'
import { authorizeMany } from './authorize-many.ts'
import { EVENT_STREAM_HEADERS } from './event-stream.ts'
import { errorResponse } from './http-errors.ts'
import { questionStream } from './question-stream.ts'
import { createRateLimit } from './rate-limit.ts'
import { readJsonBody } from './read-json-body.ts'

export interface AnswerHandlerOptions extends AccessOptions {
  /** Where the questions are, or how the caller's request leads there. */
  sandbox: AnswerableSandbox | ((request: Request) => AnswerableSandbox | Promise<AnswerableSandbox>)
  /**
   * Serves runners that record no questions, as older ones and those of others: an answer is checked against the client's
   * own copy of the question. Default false: 404 for what is not recorded.
   */
  olderRunners?: boolean
  /** Told of every decision, also of refusals: for an audit log. */
  onDecision?: (decision: Decision) => void
  /**
   * Told, once each, of what is wrong in the sandbox's files, such as a `DISPUTED_RECEIPT`: a question is said to have ended
   * by an answer that this host did not store. Default: a line by `console.error`.
   */
  onWarning?: OnWarning
  /** Told of every failure of the host itself, which clients see as a bare 500. Default: printed by `console.error`, safely. */
  onError?: (error: unknown) => void
  clock?: Clock
}

const NAMES: OptionNames<AnswerHandlerOptions> = {
  sandbox: true,
  olderRunners: true,
  onDecision: true,
  onWarning: true,
  onError: true,
  clock: true,
  authorize: true,
  peerAddress: true,
  links: true,
  signingKeys: true,
  allowedHosts: true,
  allowedOrigins: true,
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

/**
 * Makes the answer API of a sandbox. Errors are `{ success: false, error: { code, message, faults }, question? }`.
 *
 * @throws AskError `FORBIDDEN` in production without `authorize`.
 */
export function createAnswerHandler(options: AnswerHandlerOptions): AnswerHandler {
  checkOptions('createAnswerHandler', options, NAMES)
  const { sandbox, olderRunners = false, signingKeys, clock = systemClock } = options
  const { onDecision = () => {}, onError = logError } = options
  const host = { clock, signingKeys, onWarning: options.onWarning ? onceEach(options.onWarning) : logWarning }
  const access = createAccess(options, clock)
  const limit = createRateLimit(clock)

  const sandboxOf = async (request: Request): Promise<AnswerableSandbox> =>
    typeof sandbox === 'function' ? sandbox(request) : sandbox

  const list: Handle = async (request, decide) => {
    const channel = channelOf(await sandboxOf(request), host)
    decide({ action: 'list' })
    const states = await waitingQuestions(channel, { onWarning: host.onWarning, olderRunners })
    const verdicts = await Promise.all(states.map((state) => access.mayAnswer(request, state)))
    const visible = states.filter((_, index) => verdicts[index])
    return Response.json({ questions: visible.map((state) => viewOf(state, clock.now())) }, FRESH)
  }

  const show = async (request: Request, decide: Decide, toolCallId: string): Promise<Response> => {
    const channel = channelOf(await sandboxOf(request), host)
    const decision = decide({ action: 'read', toolCallId })
    const state = await channel.read(toolCallId)
    Object.assign(decision, await access.admit(request, state))
    if (!state.record && !(olderRunners && state.answerFile)) throw unknownQuestion(state)
    return Response.json(viewOf(state, clock.now()), FRESH)
  }

  /** A page may come before the runner has recorded its question, so a stream waits for an unknown one. */
  const follow = async (request: Request, decide: Decide, toolCallIds: string[]): Promise<Response> => {
    const channel = channelOf(await sandboxOf(request), host)
    const { following, refused } = await authorizeMany(toolCallIds, async (toolCallId) => {
      const decision = decide({ action: 'follow', toolCallId })
      try {
        Object.assign(decision, await access.admit(request, await channel.read(toolCallId)))
      } catch (error) {
        decision.outcome = outcomeOfError(error)
        throw error
      }
    })
    const opening = `event: following\ndata: ${JSON.stringify({ following, refused })}\n\n`
    const stream = questionStream(channel, following, {
      clock,
      onError,
      // Frameworks keep what `authorize` reads, such as Next's cookies, in the request's own async context.
      mayShow: AsyncResource.bind((state: QuestionState) => access.isAdmitted(request, state)),
      // Pages tell by it a host that follows several questions from one that looks at the first alone.
      ...(toolCallIds.length > 1 && { opening }),
    })
    return new Response(stream, { headers: EVENT_STREAM_HEADERS })
  }

  const store: Handle = async (request, decide) => {
    const arrivedAt = arrivalTime(clock)
    const body = await readJsonBody(request)
    const { toolCallId, status } = parseAnswerEnvelope(body)
    const decision = decide({ action: ACTIONS[status ?? 'completed'], toolCallId })
    const place = await sandboxOf(request)
    const channel = channelOf(place, host)
    const state = await channel.read(toolCallId)
    const { answeredBy, link } = await access.admit(request, state)
    Object.assign(decision, {
      ...(answeredBy !== undefined && { answeredBy }),
      ...(link !== undefined && { link }),
    })
    limit(JSON.stringify([place.files.id, fileNameOf(toolCallId)]))
    // Checking every entry of a large body costs much, so only callers who may answer have that done.
    const answer = parseAnswerRequest(body)
    try {
      const sign = signerOf(place, { signingKeys, clock })
      // What is recorded is the agent's to swap: the answer counts for the question that the caller was admitted to.
      const admittedTo = state.record ?? null
      const stored = await storeAnswer(channel, answer, {
        answeredBy,
        olderRunners,
        admittedTo,
        arrivedAt,
        isOnce: link !== undefined,
        sign,
        clock,
      })
      decision.action = ACTIONS[stored.status]
      return Response.json({ success: true, ...stored }, FRESH)
    } catch (error) {
      // Somebody was faster, perhaps with the same link. What they answered is not for whoever else has it.
      if (link !== undefined && outcomeOfError(error) === 'CONFLICT') throw linkUsed()
      throw error
    }
  }

  /** A log that fails keeps nobody from answering. */
  const report = (decisions: DecisionFacts[]): void => {
    try {
      for (const facts of decisions) onDecision(decisionOf(facts, clock.now()))
    } catch (error) {
      onError(error)
    }
  }

  /** Answers with what comes of a request, and tells of what was decided on the way. */
  const guarded =
    (handle: Handle) =>
    async (request: Request): Promise<Response> => {
      const decisions: DecisionFacts[] = []
      try {
        access.refuseStrangers(request)
        return await handle(request, (facts) => {
          decisions.push(facts)
          return facts
        })
      } catch (error) {
        const last = decisions.at(-1)
        if (last) last.outcome = outcomeOfError(error)
        else decisions.push({ outcome: outcomeOfError(error) })
        return errorResponse(error, onError)
      } finally {
        report(decisions)
      }
    }

  return {
    GET: guarded(async (request, decide) => {
      const toolCallIds = [...new Set(new URL(request.url).searchParams.getAll('toolCallId'))]
      const [toolCallId] = toolCallIds
      if (toolCallId === undefined) return list(request, decide)
      if (request.headers.get('accept')?.includes('text/event-stream'))
        return follow(request, decide, toolCallIds)
      return show(request, decide, toolCallId)
    }),
    POST: guarded(store),
  }
}

/** Notes a decision, whose facts may still grow. */
type Decide = (facts: DecisionFacts) => DecisionFacts

type Handle = (request: Request, decide: Decide) => Promise<Response>

const ACTIONS = { pending: 'draft', completed: 'answer', declined: 'decline' } as const

const FRESH = { headers: { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } }
