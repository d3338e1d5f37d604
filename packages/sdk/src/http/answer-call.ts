import { AsyncResource } from 'node:async_hooks'
import {
  type AnswerRequest,
  authorOf,
  type Clock,
  type HostChannel,
  type HostPasskeys,
  parseAnswerEnvelope,
  type QuestionState,
  traceparentIn,
  type Viewer,
} from '@sandagent/core/internal'
import pLimit from 'p-limit'
import { isWaiting, pagesOf } from '../answers/questions.ts'
import { answerIn, unknownQuestion } from '../answers/read-request.ts'
import { arrivalTime } from '../answers/request-order.ts'
import { channelOf } from '../answers/sandbox-channel.ts'
import { fromLatest, observedStore, type StoredAnswer, storeAnswer } from '../answers/store-answer.ts'
import type { OnWarning } from '../answers/warnings.ts'
import type { HostGrants } from '../policy/host-grants.ts'
import type { Policy } from '../policy/parse-policy.ts'
import type { PasskeyUse } from '../policy/passkeys.ts'
import { type Caller, viewerOf } from '../policy/viewer-of.ts'
import { orWhenRefused } from '../run-records/run-records.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isAnswered, linkUsed } from '../signing/answer-link.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import type { Access } from './access.ts'
import { actionOf, type DecisionFacts, outcomeOfError } from './audit.ts'
import { questionKeyOf } from './question-key.ts'
import { EVENT_STREAM_HEADERS } from './stream/event-stream.ts'
import type { PresenceBook } from './stream/presence.ts'
import { questionStream } from './stream/question-stream.ts'
import { questionsToFollow } from './stream/questions-to-follow.ts'
import { type FoundQuestion, waitingStream } from './stream/waiting-stream.ts'
import type { ApiRequest } from './web-request.ts'

/** The steps of one request. Each throws an `AskError` for what the caller may not do. */
export interface ApiCall {
  request: ApiRequest
  /** The waiting questions that the caller may see, oldest first, and whether more follow. */
  list(page?: {
    limit?: number | undefined
    cursor?: string | undefined
  }): Promise<{ questions: FoundQuestion[]; hasMore: boolean }>
  /** @param action an upload counts as an answer for the rate limit */
  read(
    toolCallId: string,
    action?: 'read' | 'upload',
  ): Promise<FoundQuestion & { sandbox: AnswerableSandbox }>
  /** Streams questions, also unknown ones, and who else has them open. */
  follow(toolCallIds: readonly string[]): Promise<Response>
  /** Streams the waiting questions that the caller may see. */
  followWaiting(): Promise<Response>
  /** Stores the answer in a body. `known` is the question, if it was read before. */
  store(body: unknown, known?: QuestionState): Promise<StoredAnswer>
}

/** What all requests to one API share. */
export interface ApiContext {
  sandboxOf(request: ApiRequest): AnswerableSandbox | Promise<AnswerableSandbox>
  access: Access
  policy: Policy | undefined
  /** Whether questions without a record are unknown. */
  needsRecord: boolean
  host: {
    signingKeys: SigningKeys | null | undefined
    onWarning: OnWarning
    clock: Clock
    grants: HostGrants | undefined
    passkeys: HostPasskeys | undefined
  }
  presence: PresenceBook
  /** Counts an answer to a question. @throws AskError as `createRateLimit` says */
  limit(question: string): void
  onError(error: unknown): void
}

/** How many questions of a list `authorize` decides about at once. */
const CHECKS_AT_ONCE = 16

const MAX_BROWSER_CHARS = 64

/** @param decide notes what the request does, for the log of decisions */
export function createApiCall(
  { sandboxOf, access, policy, needsRecord, host, presence, limit, onError }: ApiContext,
  request: ApiRequest,
  decide: (facts: DecisionFacts) => DecisionFacts,
): ApiCall {
  const { clock } = host
  const arrivedAt = arrivalTime(clock)
  const place = async (): Promise<{ sandbox: AnswerableSandbox; channel: HostChannel }> => {
    const sandbox = await sandboxOf(request)
    return { sandbox, channel: channelOf(sandbox, host) }
  }
  const browser = queryOf(request).get('browser')?.slice(0, MAX_BROWSER_CHARS)
  const viewerBy = (caller: Caller, sandbox: AnswerableSandbox, state: QuestionState): Promise<Viewer> =>
    viewerOf({ ...caller, browser }, state, { ...host, policy, sandbox })
  const admit = async (
    decision: DecisionFacts,
    state: QuestionState,
    options?: { mayBeUsed?: boolean },
  ): Promise<Caller> => {
    const caller = await access.admit(request, state, options)
    const { answeredBy, link } = caller
    Object.assign(decision, { answeredBy, link })
    return caller
  }
  const showAmong = async (state: QuestionState, sandbox: AnswerableSandbox): Promise<Viewer | null> => {
    const caller = await access.admitAmong(request, state)
    return caller && viewerBy(caller, sandbox, state)
  }
  const list: ApiCall['list'] = async ({ limit = Number.MAX_SAFE_INTEGER, cursor } = {}) => {
    const { sandbox, channel } = await place()
    const questions: FoundQuestion[] = []
    const add = async (state: QuestionState): Promise<FoundQuestion[]> => {
      const viewer = await showAmong(state, sandbox)
      return viewer ? [{ state, viewer }] : []
    }
    // One more than the limit tells whether more follow. The cursor of a hidden question would show its id.
    const wanted = { onWarning: host.onWarning, needsRecord, limit: limit + 1, cursor }
    for await (const states of pagesOf(channel, wanted)) {
      questions.push(...(await pLimit(CHECKS_AT_ONCE).map(states, add)).flat())
      if (questions.length > limit) break
    }
    return { questions: questions.slice(0, limit), hasMore: questions.length > limit }
  }

  return {
    request,

    list(page) {
      decide({ action: 'list' })
      return list(page)
    },

    async read(toolCallId, action = 'read') {
      const { sandbox, channel } = await place()
      const decision = decide({ action, toolCallId })
      const state = await channel.read(toolCallId)
      const caller = await admit(decision, state)
      if (action === 'upload') limit(questionKeyOf(sandbox, toolCallId))
      if (!state.record && (needsRecord || !state.answerFile)) throw unknownQuestion(state)
      return { state, sandbox, viewer: await viewerBy(caller, sandbox, state) }
    },

    // A page may connect before the runner has recorded its question.
    async follow(toolCallIds) {
      const { sandbox, channel } = await place()
      const readers = new Map<string, Caller>()
      const { following, opening } = await questionsToFollow(toolCallIds, async (toolCallId) => {
        const decision = decide({ action: 'follow', toolCallId })
        try {
          const state = await channel.read(toolCallId)
          readers.set(toolCallId, await admit(decision, state))
          return state
        } catch (error) {
          decision.outcome = outcomeOfError(error)
          throw error
        }
      })
      const stream = questionStream(channel, following, {
        clock,
        onError,
        presence,
        placeOf: (toolCallId) => [
          questionKeyOf(sandbox, toolCallId),
          authorOf({ answeredBy: readers.get(toolCallId)?.answeredBy, browser }),
        ],
        // Frameworks bind what `authorize` reads, such as Next's cookies, to the request's async context.
        viewerOf: AsyncResource.bind(async (state: QuestionState) => {
          const caller = await access.admit(request, state).catch(orWhenRefused(null))
          return caller && viewerBy(caller, sandbox, state)
        }),
        opening,
      })
      return new Response(stream, { headers: EVENT_STREAM_HEADERS })
    },

    async followWaiting() {
      decide({ action: 'follow' })
      const { sandbox, channel } = await place()
      const stream = await waitingStream(channel, {
        clock,
        onError,
        // As above, `authorize` is bound to the request.
        list: AsyncResource.bind(async () => (await list()).questions),
        viewerOf: AsyncResource.bind((state: QuestionState) => showAmong(state, sandbox)),
        waits: (state) => isWaiting(state, { needsRecord }),
      })
      return new Response(stream, { headers: EVENT_STREAM_HEADERS })
    },

    store(body, known) {
      const { toolCallId, status, asksBack } = parseAnswerEnvelope(body)
      const decision = decide({ action: actionOf({ status, asksBack }), toolCallId })
      const traceparent = traceparentIn(request.headers.get('traceparent'))
      return observedStore({ toolCallId, status, traceparent }, async (observation) => {
        const { sandbox, channel } = await place()
        const question = questionKeyOf(sandbox, toolCallId)
        let answer: AnswerRequest | undefined
        const storeFrom = async (found?: QuestionState): Promise<StoredAnswer> => {
          const state = found ?? (await channel.read(toolCallId, { ofRun: false }))
          observation?.progress?.({ name: 'found', record: state.record })
          const caller = await admit(decision, state, { mayBeUsed: true })
          if (!answer) limit(question)
          // Parsing a large body is expensive, so it is done only for callers who may answer.
          answer ??= answerIn(body)
          const { answeredBy, link } = caller
          const facts = { ...caller, sandbox, policy, needsRecord, state, arrivedAt, observation }
          try {
            const onSigned = (use: PasskeyUse): void => {
              decision.passkey = use
            }
            const stored = await storeAnswer(channel, answer, { ...facts, ...host, onSigned })
            const isVote = stored.missingVotes !== undefined
            const author = authorOf({ answeredBy, browser: answer.browser })
            presence.note(question, author, isVote ? 'completed' : stored.status)
            decision.action = isVote ? 'vote' : actionOf({ ...answer, ...stored })
            decision.grant = stored.grant?.id
            return stored
          } catch (error) {
            // The holder of a link must not see the answer that came first.
            const code = outcomeOfError(error)
            if (link && (code === 'CONFLICT' || (code === 'GONE' && isAnswered(state)))) throw linkUsed()
            throw error
          }
        }
        return known ? storeFrom(known) : fromLatest(channel, toolCallId, storeFrom)
      })
    },
  }
}

/** Most requests have no query: an answer is in the body. */
const queryOf = ({ url }: ApiRequest): URLSearchParams =>
  url.includes('?') ? new URL(url).searchParams : new URLSearchParams()
