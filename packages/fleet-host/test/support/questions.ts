import type { HostChannel, Receipt } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '@sandagent/sdk'

/** A sandbox whose channel is that of another one, with changes. */
export function changed(
  { files, ownChannel }: AnswerableSandbox,
  change: (channel: HostChannel) => Partial<HostChannel>,
): AnswerableSandbox {
  if (!ownChannel) throw new Error('It has no channel')
  const create: typeof ownChannel.create = (options) => {
    const channel = ownChannel.create(options)
    return { ...channel, ...change(channel) }
  }
  return { files, ownChannel: { ...ownChannel, create } }
}

/** The receipt of the answer that `answerFileFor` makes. */
export const receiptOf = (more: Partial<Receipt> = {}): Receipt => ({
  state: 'answered',
  settledAt: '2026-01-01T00:00:02.000Z',
  responses: { q1: { selected: ['A'], source: 'human' } },
  revision: 1,
  ...more,
})
