import {
  formatResult,
  parseRequest,
  questionIdOf,
  type ToolInvocation,
} from '@sandagent/core/dialects/user-choice'
import { AskError, isSettled, type RunnerChannel } from '@sandagent/core/internal'
import { type AskOptions, askUser } from '@sandagent/runner'
import type { AskingStep } from './runtime-steps.ts'

export interface AskChoiceOptions extends Pick<AskOptions, 'timeoutMs' | 'clock' | 'onWarning'> {
  invocation: ToolInvocation
  channel: RunnerChannel
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
  { message, receivedAt }: AskingStep,
  options: AskChoiceOptions,
): Promise<number | null> {
  const { invocation, channel, onOpen, withdrawn, stop, ...others } = options
  const { group_id: runId, operation: toolName } = invocation
  const toolCallId = questionIdOf(invocation)
  const withdrawal = new AbortController()
  const withdraw = (): void => withdrawal.abort()
  const request = { toolCallId, toolName, questions: parseRequest(message), runId }
  const outcome = await askUser(channel, request, {
    ...others,
    // A draft is no choice.
    timeoutPolicy: 'decline',
    signal: withdrawal.signal,
    detachSignal: stop,
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
