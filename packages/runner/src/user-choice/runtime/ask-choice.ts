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
import { askUser } from '../../ask/ask-user.ts'
import type { PendingChoice } from './runtime-record.ts'

export interface AskChoiceOptions {
  invocation: ToolInvocation
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  /** Told when the question is there to be answered. */
  onOpen: (() => void) | undefined
  /** Withdraws the question: the call has its result. */
  ended: AbortSignal
  /** Withdraws the question: nobody waits for the result. */
  dismissed: AbortSignal
  /** Ends the wait alone. */
  closing: AbortSignal
}

/** Lets the user choose for a tool. The question belongs to one call of one conversation. */
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
      // Not before: a question that was there already would stay.
      if (dismissed.aborted) withdraw()
      else dismissed.addEventListener('abort', withdraw)
      onOpen?.()
    },
  })
}

/** A question that was answered before this choice was asked for is an older call's, and so is its answer. */
function refuseReplay(asked: QuestionRecord, receivedAt: string): void {
  if (isSettled(asked) && asked.askedAt < receivedAt)
    throw new AskError('CONFLICT', 'A choice under this id was made in an earlier call')
}
