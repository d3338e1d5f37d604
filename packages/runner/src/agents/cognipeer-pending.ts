import { isSettled, type RunnerChannel } from '@sandagent/core'
import {
  type CognipeerState,
  formatAnswer,
  formatEvent,
  type PendingUserQuestion,
  parseRequest,
  resolveUserQuestion,
  type UserQuestionEvent,
} from '@sandagent/core/dialects/cognipeer'
import { type AskOptions, askUser } from '../ask-user.ts'

export interface AskPendingOptions
  extends Pick<AskOptions, 'timeoutMs' | 'onTimeout' | 'clock' | 'onWarning'> {
  channel: RunnerChannel
  /** The run that asks. */
  runId: string
  /** Ends the wait: what has no answer stays pending, here and in the channel. */
  leave?: AbortSignal
  /** Told of each question when it can be answered, and when it is decided. */
  onEvent?: (event: UserQuestionEvent) => void
}

/**
 * Asks what is pending in the state of a Cognipeer agent, all at once, and resolves to the state with the answers, for
 * the agent to be invoked with. Whichever process asks the same state again gets the answers that were given meanwhile.
 * A question that timed out or was declined is cancelled there, in words for the model.
 *
 * @throws AskError as `askUser` does.
 */
export async function askPending<S extends CognipeerState>(
  state: S,
  { channel, runId, onEvent, ...options }: AskPendingOptions,
): Promise<S> {
  const ask = async (entry: PendingUserQuestion) => {
    const { toolCallId, toolName, allowFreeText } = entry
    const questions = parseRequest({ questions: entry.questions }, { allowFreeText })
    const outcome = await askUser(
      channel,
      { toolCallId, toolName, questions, runId },
      {
        ...options,
        onAsked: (record) => {
          if (!isSettled(record)) onEvent?.(formatEvent(entry))
        },
      },
    )
    return { entry, outcome }
  }
  const pending = (state.pendingUserQuestions ?? []).filter(({ status }) => status === 'pending')
  const asked = await Promise.all(pending.map(ask))
  return asked.reduce((before, { entry: { id }, outcome }) => {
    if (outcome.kind === 'aborted' && options.leave?.aborted) return before
    const after = resolveUserQuestion(
      before,
      { id, ...formatAnswer(outcome) },
      { answeredAt: outcome.settledAt },
    )
    const decided = after.pendingUserQuestions?.find((entry) => entry.id === id)
    if (decided) onEvent?.(formatEvent(decided))
    return after
  }, state)
}
