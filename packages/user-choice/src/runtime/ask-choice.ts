import { parseRequest, questionIdOf, type ToolInvocation } from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  isSettled,
  type Outcome,
  type QuestionRecord,
  type RunnerChannel,
  type TimeoutMs,
} from '@sandagent/core/internal'
import { askUser } from '@sandagent/runner'
import type { PendingChoice } from './runtime-record.ts'

export interface AskChoiceOptions {
  invocation: ToolInvocation
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  /** Called when the question can be answered. */
  onOpen: (() => void) | undefined
  /** The call has its result: withdraws the question. */
  ended: AbortSignal
  /** Nobody waits for the result: withdraws the question. */
  dismissed: AbortSignal
  /** The runtime closes: ends only the wait. */
  closing: AbortSignal
}

/** Asks the user to choose. The question belongs to one call of one conversation. */
export function askChoice(
  { message, receivedAt }: PendingChoice,
  options: AskChoiceOptions,
): Promise<Outcome> {
  const { invocation, channel, timeoutMs, clock, onWarning, onOpen, ended, dismissed, closing } = options
  const { group_id: runId, operation: toolName } = invocation
  const toolCallId = questionIdOf(invocation)
  const withdrawn = new AbortController()
  const withdraw = (): void => withdrawn.abort()
  const request = { toolCallId, toolName, questions: parseRequest(message), runId }
  return askUser(channel, request, {
    timeoutMs,
    // A draft is no choice.
    timeoutPolicy: 'decline',
    signal: AbortSignal.any([ended, withdrawn.signal]),
    detachSignal: closing,
    clock,
    onWarning,
    onAsked(asked) {
      refuseReplay(asked, receivedAt)
      // An earlier abort would leave an adopted question open.
      if (dismissed.aborted) withdraw()
      else dismissed.addEventListener('abort', withdraw)
      onOpen?.()
    },
  })
}

/** A question that was settled before this choice came in belongs to an older call. */
function refuseReplay(asked: QuestionRecord, receivedAt: string): void {
  if (isSettled(asked) && asked.askedAt < receivedAt)
    throw new AskError('CONFLICT', 'A choice under this id was made in an earlier call')
}
