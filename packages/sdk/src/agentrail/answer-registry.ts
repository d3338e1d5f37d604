import { parseAnswer } from '@sandagent/core/dialects/agentrail'
import { questionDigestOf, systemClock } from '@sandagent/core/internal'
import { channelOf } from '../answers/sandbox-channel.ts'
import type { StoreOptions } from '../answers/store-answer.ts'
import { declineQuestion, submitAnswer } from '../answers/submit-answer.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { namedQuestion, onlyOne, waitingIn } from './session-questions.ts'

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

export interface AnswerRegistryOptions extends Pick<StoreOptions, 'signingKeys' | 'clock'> {
  /** Where the questions are, or where those of a session are. */
  sandbox: AnswerableSandbox | ((sessionId: string) => AnswerableSandbox)
}

/** Makes the half of a wait registry that answers, over the questions that a sandbox has recorded. */
export function createAnswerRegistry({ sandbox, ...options }: AnswerRegistryOptions): AnswerRegistry {
  const { signingKeys, clock = systemClock } = options
  const sandboxOf = (sessionId: string): AnswerableSandbox =>
    typeof sandbox === 'function' ? sandbox(sessionId) : sandbox
  const channelFor = (sessionId: string) => channelOf(sandboxOf(sessionId), { signingKeys, clock })

  return {
    async respond(sessionId, answer, { toolCallId, answeredBy } = {}) {
      const channel = channelFor(sessionId)
      const record =
        toolCallId === undefined
          ? onlyOne(await waitingIn(channel, sessionId))
          : await namedQuestion(channel, sessionId, toolCallId)
      if (!record) return false
      const given = parseAnswer(record.questions, { kind: 'question', answer })
      await submitAnswer(
        sandboxOf(sessionId),
        {
          toolCallId: record.toolCallId,
          questionDigest: questionDigestOf(record),
          ...given,
          ...(answeredBy !== undefined && { answeredBy }),
        },
        { ...options, olderRunners: false },
      )
      return true
    },

    async cancel(sessionId, { toolCallId, answeredBy } = {}) {
      const waiting = await waitingIn(channelFor(sessionId), sessionId)
      const meant = waiting.filter((record) => toolCallId === undefined || record.toolCallId === toolCallId)
      for (const record of meant)
        await declineQuestion(
          sandboxOf(sessionId),
          { toolCallId: record.toolCallId, ...(answeredBy !== undefined && { answeredBy }) },
          { ...options, olderRunners: false },
        )
      return meant.length > 0
    },

    async hasPending(sessionId) {
      return (await waitingIn(channelFor(sessionId), sessionId)).length > 0
    },
  }
}
