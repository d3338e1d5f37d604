import {
  formatResult,
  parseRequest,
  questionIdOf,
  type ToolInvocation,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  isSettled,
  type RunnerChannel,
  type TimeoutMs,
} from '@sandagent/core/internal'
import { askUser } from '@sandagent/runner'

export interface AskedChoice {
  message: UserChoiceMessage
  /** ISO 8601. */
  receivedAt: string
}

export interface AskChoiceOptions {
  invocation: ToolInvocation
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  /** Called when the question can be answered. */
  onOpen: () => void
  /** Nobody waits for the choice: withdraws the question. */
  withdrawn: AbortSignal
  /** Ends only the wait. */
  stop: AbortSignal
}

/**
 * Asks the user to choose. The question belongs to one call of one conversation.
 *
 * @returns what the user chose, or the default. `null` when the wait was stopped.
 */
export async function askChoice(
  { message, receivedAt }: AskedChoice,
  options: AskChoiceOptions,
): Promise<number | null> {
  const { invocation, channel, timeoutMs, clock, onWarning, onOpen, withdrawn, stop } = options
  const { group_id: runId, operation: toolName } = invocation
  const toolCallId = questionIdOf(invocation)
  const withdrawal = new AbortController()
  const withdraw = (): void => withdrawal.abort()
  const request = { toolCallId, toolName, questions: parseRequest(message), runId }
  const outcome = await askUser(channel, request, {
    timeoutMs,
    // A draft is no choice.
    timeoutPolicy: 'decline',
    signal: withdrawal.signal,
    detachSignal: stop,
    clock,
    onWarning,
    onAsked(asked) {
      // A question that was settled before this choice came in belongs to an older call.
      if (isSettled(asked) && asked.askedAt < receivedAt)
        throw new AskError('CONFLICT', 'A choice under this id was made in an earlier call')
      // An earlier abort would leave an adopted question open.
      if (withdrawn.aborted) withdraw()
      else withdrawn.addEventListener('abort', withdraw)
      onOpen()
    },
  })
  return outcome.kind === 'aborted' && stop.aborted ? null : formatResult(outcome, invocation).selected
}
