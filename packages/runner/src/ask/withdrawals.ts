import { deferred, type RunnerChannel } from '@sandagent/core/internal'

type Withdrawals = Map<string, ReturnType<typeof deferred<void>>>

/** The questions that this process withdraws at this moment, by their channel and the id of their call. */
const underWay = new WeakMap<RunnerChannel, Withdrawals>()

/** Notes that a question is withdrawn, at once: whoever asks it again begins after that. */
export function beginWithdrawal(channel: RunnerChannel, toolCallId: string): void {
  const ofChannel: Withdrawals = underWay.get(channel) ?? new Map()
  underWay.set(channel, ofChannel)
  if (!ofChannel.has(toolCallId)) ofChannel.set(toolCallId, deferred<void>())
}

/** Notes that it is withdrawn, or that an answer was faster. */
export function endWithdrawal(channel: RunnerChannel, toolCallId: string): void {
  const ofChannel = underWay.get(channel)
  ofChannel?.get(toolCallId)?.resolve()
  ofChannel?.delete(toolCallId)
}

/** Resolves when no earlier call is being withdrawn. Otherwise the question that ends would be taken up, and never be answered. */
export const afterWithdrawal = (channel: RunnerChannel, toolCallId: string): Promise<void> | undefined =>
  underWay.get(channel)?.get(toolCallId)?.promise
