import { type AnswerRequest, checkOptions, systemClock } from '@sandagent/core/internal'
import { questionsOf } from '../answers/questions.ts'
import { channelOf, type HostOptions } from '../answers/sandbox-channel.ts'
import { observedStore, storeAnswer } from '../answers/store-answer.ts'
import { type Policy, parsePolicy } from '../policy/parse-policy.ts'
import type { Caller } from '../policy/viewer-of.ts'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { answerTo, isOf, onlyOne, type SessionQuestion } from './session-questions.ts'

/** Names a question of a session, and the person who answers. */
export interface NamedQuestion {
  /** Required when several questions wait. */
  toolCallId?: string | undefined
  /** The person, as the host authenticated them. */
  answeredBy?: string | undefined
  /** The roles that this person has, for the policy. */
  roles?: readonly string[] | undefined
}

/** The half of AgentRail's wait registry that answers; `createAskRegistry` of `@sandagent/runner/agentrail` asks. */
export interface AnswerRegistry {
  /**
   * Stores the answer to the named question, or else to the one that waits. Resolves to whether it found that question.
   * Under a policy, the answer may be a vote.
   *
   * @throws AskError `CONFLICT` when several wait and no name is given; and as `submitAnswer` does.
   */
  respond(sessionId: string, answer: string, named?: NamedQuestion): Promise<boolean>
  /** Declines the named question, or all of the session. Resolves to whether any was waiting. */
  cancel(sessionId: string, named?: NamedQuestion): Promise<boolean>
  hasPending(sessionId: string): Promise<boolean>
}

export interface AnswerRegistryOptions extends Pick<HostOptions, 'signingKeys' | 'clock'> {
  /** The sandbox, or a function that finds it for a session. */
  sandbox: AnswerableSandbox | ((sessionId: string) => AnswerableSandbox)
  /** Who may answer which questions, and how many people must give the same answer. Default: everybody may, alone. */
  policy?: Policy | undefined
}

/** Makes the {@link AnswerRegistry} of a sandbox. */
export function createAnswerRegistry(options: AnswerRegistryOptions): AnswerRegistry {
  checkOptions('createAnswerRegistry', options, {
    sandbox: true,
    policy: 'list',
    signingKeys: true,
    clock: true,
  })
  const { sandbox, signingKeys, clock = systemClock } = options
  const policy = options.policy && parsePolicy(options.policy)

  const open = (sessionId: string) => {
    const place = typeof sandbox === 'function' ? sandbox(sessionId) : sandbox
    const channel = channelOf(place, { signingKeys, clock })
    return {
      waiting: async (): Promise<SessionQuestion[]> => (await questionsOf(channel)).filter(isOf(sessionId)),
      named: async (toolCallId: string): Promise<SessionQuestion[]> =>
        [await channel.read(toolCallId)].filter(isOf(sessionId)),
      store: (state: SessionQuestion, request: AnswerRequest, { answeredBy, roles }: Caller) =>
        observedStore(request, (observation) =>
          storeAnswer(channel, request, {
            answeredBy,
            roles,
            sandbox: place,
            policy,
            signingKeys,
            state,
            clock,
            observation,
          }),
        ),
    }
  }

  return {
    async respond(sessionId, answer, { toolCallId, ...person } = {}) {
      const { waiting, named, store } = open(sessionId)
      const question = onlyOne(toolCallId === undefined ? await waiting() : await named(toolCallId))
      if (!question) return false
      await store(question, answerTo(question.record, answer), person)
      return true
    },

    async cancel(sessionId, { toolCallId, ...person } = {}) {
      const { waiting, store } = open(sessionId)
      const meant = (await waiting()).filter(
        (state) => toolCallId === undefined || state.toolCallId === toolCallId,
      )
      for (const state of meant)
        await store(state, { toolCallId: state.toolCallId, status: 'declined' }, person)
      return meant.length > 0
    },

    async hasPending(sessionId) {
      return (await open(sessionId).waiting()).length > 0
    },
  }
}
