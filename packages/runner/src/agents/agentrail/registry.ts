import { randomUUID } from 'node:crypto'
import {
  formatEvent,
  formatResult,
  parseRequest,
  type WaitingForUserInput,
} from '@sandagent/core/dialects/agentrail'
import { isSettled, type RunnerChannel } from '@sandagent/core/internal'
import type { AskOptions } from '../../ask/ask-options.ts'
import { askUser } from '../../ask/ask-user.ts'
import { UnansweredError } from '../../run/unanswered-error.ts'

/**
 * The half of AgentRail's wait registry that asks. The other half answers, and is on the host: `createAnswerRegistry`
 * of `@sandagent/sdk/agentrail`. What runs in the sandbox cannot answer its own questions this way.
 */
export interface AskRegistry {
  /**
   * Asks a question of a session and resolves to its answer as text. Any number of questions wait side by side. A call
   * that is registered again, also by another process, gets the answer that was given meanwhile.
   *
   * @throws UnansweredError when the user declined, nobody answered in time, or the signal aborted; AskError as
   *   `askUser` does.
   */
  register(sessionId: string, question: string, call?: RegisteredCall): Promise<string>
}

/** The tool call that asks. Without one, the question is typed freely and cannot be adopted after a restart. */
export interface RegisteredCall {
  toolCallId: string
  /** The tool's parameters. */
  request: unknown
  /** Withdraws the question. */
  signal?: AbortSignal | undefined
  /** Told once the question can be answered. */
  onWaiting?: ((event: WaitingForUserInput) => void) | undefined
}

export interface AskRegistryOptions
  extends Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'clock' | 'onWarning'> {
  /** Where questions go, or where those of a session go. */
  channel: RunnerChannel | ((sessionId: string) => RunnerChannel)
}

/** Makes the half of a wait registry that asks, over a channel. A session's questions are recorded with its id as run. */
export function createAskRegistry({ channel, ...options }: AskRegistryOptions): AskRegistry {
  return {
    async register(sessionId, question, call) {
      const { toolCallId = randomUUID(), request = { question }, signal, onWaiting } = call ?? {}
      const outcome = await askUser(
        typeof channel === 'function' ? channel(sessionId) : channel,
        { toolCallId, questions: parseRequest(request), runId: sessionId },
        {
          ...options,
          ...(signal && { signal }),
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
