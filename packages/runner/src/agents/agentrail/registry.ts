import { randomUUID } from 'node:crypto'
import {
  formatEvent,
  formatResult,
  parseRequest,
  type WaitingForUserInput,
} from '@sandagent/core/dialects/agentrail'
import { checkOptions, isSettled, type OptionNames, type RunnerChannel } from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'

/**
 * The half of AgentRail's wait registry that asks. The half that answers is on the host, where the sandbox cannot use
 * it: `createAnswerRegistry` of `@sandagent/sdk/agentrail`.
 */
export interface AskRegistry {
  /**
   * Asks a question of a session and resolves to its answer as text. Many questions may wait at once. A call that is
   * registered again, also by another process, gets the answer to the first one.
   *
   * @throws UnansweredError when the user declined, nobody answered in time, or the signal aborted; errors of `askUser`.
   */
  register(sessionId: string, question: string, call?: RegisteredCall): Promise<string>
}

/** The tool call that asks. Without it, the question takes free text and cannot be adopted after a restart. */
export interface RegisteredCall {
  toolCallId: string
  /** The tool's parameters. */
  request: unknown
  /** Withdraws the question. */
  signal?: AbortSignal | undefined
  /** Called once the question can be answered. */
  onWaiting?: ((event: WaitingForUserInput) => void) | undefined
}

export interface AskRegistryOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  channel: RunnerChannel | ((sessionId: string) => RunnerChannel)
}

const NAMES: OptionNames<AskRegistryOptions> = {
  channel: true,
  timeoutMs: true,
  timeoutPolicy: true,
  onWarning: 'function',
  clock: 'clock',
}

/** Makes the half of a wait registry that asks. The session's id becomes the run id of its questions. */
export function createAskRegistry(given: AskRegistryOptions): AskRegistry {
  checkOptions('createAskRegistry', given, NAMES)
  const { channel, ...options } = given
  return {
    async register(sessionId, question, call) {
      const { toolCallId = randomUUID(), request = { question }, signal, onWaiting } = call ?? {}
      const outcome = await askUser(
        typeof channel === 'function' ? channel(sessionId) : channel,
        { toolCallId, questions: parseRequest(request), runId: sessionId, takesQuestions: true },
        {
          ...options,
          signal,
          onAsked: (record) => {
            if (!isSettled(record)) onWaiting?.(formatEvent(record))
          },
        },
      )
      const result = formatResult(outcome)
      if ('errorText' in result) throw new UnansweredError(result.errorText, outcome)
      return result.output.answer
    },
  }
}
