import { type AnswerRequest, type Clock, checkOptions, systemClock } from '@sandagent/core/internal'
import { questionsOf } from '../answers/questions.ts'
import { channelOf } from '../answers/sandbox-channel.ts'
import { storeAnswer } from '../answers/store-answer.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { signerOf } from '../signing/sign-answer.ts'
import type { SigningKeys } from '../signing/signing-keys.ts'
import { answerTo, isOf, onlyOne, type SessionQuestion } from './session-questions.ts'

/** Which question of a session is meant, and who speaks. */
export interface NamedQuestion {
  /** Needed where several wait. */
  toolCallId?: string | undefined
  /** Who answers, as the host authenticated them. */
  answeredBy?: string | undefined
}

/**
 * The half of AgentRail's wait registry that answers. The other half asks, inside the sandbox: `createAskRegistry` of
 * `@sandagent/runner/agentrail`.
 */
export interface AnswerRegistry {
  /**
   * Stores the answer to a question of the session. Without a name it is for the one that waits.
   *
   * @returns whether there was such a question
   * @throws AskError `CONFLICT` when several wait and none is named, or another answer came first; `INVALID_ANSWERS`
   *   and `GONE` as `submitAnswer` does.
   */
  respond(sessionId: string, answer: string, named?: NamedQuestion): Promise<boolean>
  /** Declines the question that is named, or all of the session. Resolves to whether any was waiting. */
  cancel(sessionId: string, named?: NamedQuestion): Promise<boolean>
  hasPending(sessionId: string): Promise<boolean>
}

export interface AnswerRegistryOptions {
  /** Where the questions are, or where those of a session are. */
  sandbox: AnswerableSandbox | ((sessionId: string) => AnswerableSandbox)
  /** As in `SubmitOptions`. */
  signingKeys?: SigningKeys | null | undefined
  clock?: Clock | undefined
}

/** Makes the half of a wait registry that answers, over the questions that a sandbox has recorded. */
export function createAnswerRegistry(options: AnswerRegistryOptions): AnswerRegistry {
  checkOptions('createAnswerRegistry', options, { sandbox: true, signingKeys: true, clock: true })
  const { sandbox, signingKeys, clock = systemClock } = options

  const open = (sessionId: string) => {
    const place = typeof sandbox === 'function' ? sandbox(sessionId) : sandbox
    const channel = channelOf(place, { signingKeys, clock })
    const sign = signerOf(place, { signingKeys, clock })
    return {
      waiting: async (): Promise<SessionQuestion[]> => (await questionsOf(channel)).filter(isOf(sessionId)),
      named: async (toolCallId: string): Promise<SessionQuestion[]> =>
        [await channel.read(toolCallId)].filter(isOf(sessionId)),
      store: (state: SessionQuestion, request: AnswerRequest, answeredBy: string | undefined) =>
        storeAnswer(channel, request, { answeredBy, state, sign, clock }),
    }
  }

  return {
    async respond(sessionId, answer, { toolCallId, answeredBy } = {}) {
      const { waiting, named, store } = open(sessionId)
      const question = onlyOne(toolCallId === undefined ? await waiting() : await named(toolCallId))
      if (!question) return false
      await store(question, answerTo(question.record, answer), answeredBy)
      return true
    },

    async cancel(sessionId, { toolCallId, answeredBy } = {}) {
      const { waiting, store } = open(sessionId)
      const meant = (await waiting()).filter(
        (state) => toolCallId === undefined || state.toolCallId === toolCallId,
      )
      for (const state of meant)
        await store(state, { toolCallId: state.toolCallId, status: 'declined' }, answeredBy)
      return meant.length > 0
    },

    async hasPending(sessionId) {
      return (await open(sessionId).waiting()).length > 0
    },
  }
}
