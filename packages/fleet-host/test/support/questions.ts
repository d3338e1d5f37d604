import type { HostChannel, Receipt } from '@sandagent/core/internal'
import { sandboxOf } from '@sandagent/fixtures/channel-store.ts'
import type { AnswerableSandbox } from '@sandagent/sdk'
import { channelOf } from '@sandagent/sdk/internal'

/** A sandbox whose channel is that of another one, with changes. */
export function changed(
  sandbox: AnswerableSandbox,
  change: (channel: HostChannel) => Partial<HostChannel>,
): AnswerableSandbox {
  const channel = channelOf(sandbox, { signingKeys: null })
  return {
    ...sandbox,
    ...sandboxOf({ ...channel, ...change(channel) }),
    ...(sandbox.runs && { runs: sandbox.runs }),
  }
}

/** The receipt of the answer that `answerFileFor` makes. */
export const receiptOf = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'answered',
  settledAt: '2026-01-01T00:00:02.000Z',
  responses: { q1: { selected: ['A'], source: 'human' } },
  revision: 1,
  ...more,
})
