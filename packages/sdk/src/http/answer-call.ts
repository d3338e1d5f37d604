import { AsyncResource } from 'node:async_hooks'
import {
  type AnswerRequest,
  AskError,
  authorOf,
  beginOperation,
  type Clock,
  type HostChannel,
  observed,
  parseAnswerEnvelope,
  parseAnswerRequest,
  type QuestionRecord,
  type QuestionState,
  traceparentIn,
  type Viewer,
} from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { pagesOf } from '../answers/questions.ts'
import { unknownQuestion } from '../answers/read-request.ts'
import { arrivalTime } from '../answers/request-order.ts'
import { channelOf } from '../answers/sandbox-channel.ts'
import { type StoredAnswer, storeAnswer } from '../answers/store-answer.ts'
import type { OnWarning } from '../answers/warnings.ts'
import type { Policy } from '../policy/parse-policy.ts'
import { type Caller, rulingOf } from '../policy/ruling.ts'
import { viewerOf } from '../policy/viewer-of.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isAnswered, linkUsed } from '../signing/answer-link.ts'
import { signerOf } from '../signing/sign-answer.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { Access } from './access.ts'
import { ACTIONS, type DecisionFacts, namedIn, outcomeOfError } from './audit.ts'
import { questionKeyOf } from './question-key.ts'
import { authorizeMany } from './stream/authorize-many.ts'
import { EVENT_STREAM_HEADERS } from './stream/event-stream.ts'
import { joinPresence, type PresenceBook } from './stream/presence.ts'
import { questionStream } from './stream/question-stream.ts'

/** A question, and the person who sees it. */
export interface FoundQuestion {
  state: QuestionState
  viewer: Viewer
}

/** The steps of one request. Each throws an `AskError` for what the caller may not do. */
export interface ApiCall {
  request: Request
  /** The waiting questions that the caller may see, oldest first, and whether more follow. */
  list(page?: { limit?: number; cursor?: string }): Promise<{ questions: FoundQuestion[]; hasMore: boolean }>
  read(toolCallId: string): Promise<FoundQuestion>
  /** Streams questions, and who else has them open. */
  follow(toolCallIds: readonly string[]): Promise<Response>
  /** Stores the answer in a body. `known` is the question, if it was read before. */
  store(body: unknown, known?: QuestionState): Promise<StoredAnswer>
}

/** What all requests to one API share. */
export interface ApiContext {
  sandboxOf(request: Request): AnswerableSandbox | Promise<AnswerableSandbox>
  access: Access
  policy: Policy | undefined
  /** Whether questions without a record are unknown. */
  needsRecord: boolean
  host: { signingKeys: SigningKeys | null | undefined; onWarning: OnWarning; clock: Clock }
  presence: PresenceBook
  /** Counts an answer to a question. @throws AskError as `createRateLimit` says */
  limit(question: string): void
  onError(error: unknown): void
}

/** Where a request finds its questions. */
interface Place {
  sandbox: AnswerableSandbox
  channel: HostChannel
}

/** @param decide notes what the request does, for the log of decisions */
export function createApiCall(
  { sandboxOf, access, policy, needsRecord, host, presence, limit, onError }: ApiContext,
  request: Request,
  decide: (facts: DecisionFacts) => DecisionFacts,
): ApiCall {
  const { clock } = host
  const arrivedAt = arrivalTime(clock)
  const place = async (): Promise<Place> => {
    const here = await sandboxOf(request)
    return { sandbox: here, channel: channelOf(here, host) }
  }
  const browser = new URL(request.url).searchParams.get('browser')?.slice(0, MAX_BROWSER_CHARS)
  const viewerBy = (person: Caller, here: AnswerableSandbox, state: QuestionState): Promise<Viewer> =>
    viewerOf({ ...person, browser }, state, { policy, sandbox: here })
  return {
    request,

    async list({ limit, cursor } = {}) {
      const { sandbox: here, channel } = await place()
      decide({ action: 'list' })
      const most = limit ?? Number.MAX_SAFE_INTEGER
      const questions: FoundQuestion[] = []
      const add = async (state: QuestionState): Promise<FoundQuestion[]> => {
        const verdict = await access.mayAnswer(request, state)
        if (!verdict) return []
        return [{ state, viewer: await viewerBy(verdict === true ? {} : verdict, here, state) }]
      }
      // One more than the limit tells whether more follow. The cursor of a hidden question would show its id.
      const wanted = { onWarning: host.onWarning, needsRecord, limit: most + 1, cursor }
      for await (const states of pagesOf(channel, wanted)) {
        questions.push(...(await pLimit(CHECKS_AT_ONCE).map(states, add)).flat())
        if (questions.length > most) break
      }
      return { questions: questions.slice(0, most), hasMore: questions.length > most }
    },

    async read(toolCallId) {
      const { sandbox: here, channel } = await place()
      const decision = decide({ action: 'read', toolCallId })
      const state = await channel.read(toolCallId)
      const admitted = await access.admit(request, state)
      Object.assign(decision, namedIn(admitted))
      if (!state.record && (needsRecord || !state.answerFile)) throw unknownQuestion(state)
      return { state, viewer: await viewerBy(admitted, here, state) }
    },

    /** Also streams unknown questions: a page may connect before the runner has recorded its question. */
    async follow(toolCallIds) {
      const { sandbox: here, channel } = await place()
      const viewers = new Map<string, Viewer>()
      const { following, refused } = await authorizeMany(toolCallIds, async (toolCallId) => {
        const decision = decide({ action: 'follow', toolCallId })
        try {
          const admitted = await access.admit(request, await channel.read(toolCallId))
          viewers.set(toolCallId, authorOf({ answeredBy: admitted.answeredBy, browser }))
          Object.assign(decision, namedIn(admitted))
        } catch (error) {
          decision.outcome = outcomeOfError(error)
          throw error
        }
      })
      const opening = `event: following\ndata: ${JSON.stringify({ following, refused })}\n\n`
      const stream = questionStream(channel, following, {
        clock,
        onError,
        presence: joinPresence(presence, following, (toolCallId) => [
          questionKeyOf(here, toolCallId),
          viewers.get(toolCallId) ?? {},
        ]),
        // Frameworks bind what `authorize` reads, such as Next's cookies, to the request's async context.
        viewerOf: AsyncResource.bind(async (state: QuestionState) => {
          const admitted = await access.admitIfMay(request, state)
          return admitted && viewerBy(admitted, here, state)
        }),
        // This event tells pages that the host can stream several questions at once.
        ...(toolCallIds.length > 1 && { opening }),
      })
      return new Response(stream, { headers: EVENT_STREAM_HEADERS })
    },

    async store(body, known) {
      const { toolCallId, status } = parseAnswerEnvelope(body)
      const decision = decide({ action: ACTIONS[status ?? 'completed'], toolCallId })
      const traceparent = traceparentIn(request.headers.get('traceparent'))
      const observation = beginOperation({ name: 'store', toolCallId, status, traceparent })
      let answer: AnswerRequest | undefined
      const storeFrom = async (
        state: QuestionState,
        { sandbox: here, channel }: Place,
      ): Promise<StoredAnswer> => {
        observation?.progress?.({ name: 'found', record: state.record })
        const admitted = await access.admit(request, state, { mayBeUsed: true })
        const { answeredBy, roles, link } = admitted
        Object.assign(decision, namedIn(admitted))
        if (!answer) limit(questionKeyOf(here, toolCallId))
        // Parsing a large body is expensive, so it is done only for callers who may answer.
        answer ??= parseAnswerRequest(body)
        const sign = signerOf(here, host)
        const isOnce = link !== undefined
        try {
          const rulingFor = (record: QuestionRecord | undefined) => rulingOf(policy, here, record)
          const facts = {
            answeredBy,
            roles,
            rulingFor,
            needsRecord,
            state,
            arrivedAt,
            isOnce,
            sign,
            clock,
            observation,
          }
          const stored = await storeAnswer(channel, answer, facts)
          const isVote = stored.missingVotes !== undefined
          presence.note(
            questionKeyOf(here, toolCallId),
            authorOf({ answeredBy, browser: answer.browser }),
            isVote ? 'completed' : stored.status,
          )
          decision.action = isVote ? 'vote' : ACTIONS[stored.status]
          return stored
        } catch (error) {
          // The holder of a link must not see the answer that came first.
          const code = outcomeOfError(error)
          if (isOnce && (code === 'CONFLICT' || (code === 'GONE' && isAnswered(state)))) throw linkUsed()
          throw error
        }
      }
      const store = async (): Promise<StoredAnswer> => {
        const found = await place()
        const followed = known ? null : await found.channel.known(toolCallId)
        if (followed) {
          try {
            return await storeFrom(followed, found)
          } catch (error) {
            // The state may have been out of date. What was stored is not stored twice.
            if (!(error instanceof AskError) || error.code === 'UNREACHABLE') throw error
          }
        }
        return storeFrom(known ?? (await found.channel.read(toolCallId)), found)
      }
      return observed(observation, store, (stored) => ({ stored }))
    },
  }
}

/** How many questions of a list `authorize` decides about at once. */
const CHECKS_AT_ONCE = 16

/** The longest id of a browser. */
const MAX_BROWSER_CHARS = 64
