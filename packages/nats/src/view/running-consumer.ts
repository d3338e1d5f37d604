import { deferred } from '@sandagent/core/internal'
import type { Service } from '../service/service.ts'
import { readDelivery } from './consumer.ts'
import type { StreamMessage } from './contents.ts'

const MISSED_HEARTBEATS = 3

interface RunningConsumerOptions {
  service: Pick<Service, 'connection' | 'clock'>
  deliver: string
  heartbeatMs: number
  /** Called with each message, and with `null` for what else comes. Nothing is missing before it. */
  onHeard(message: StreamMessage | null): void
}

/**
 * Subscribes to a consumer that is about to be made.
 *
 * @returns `ended` resolves when it has ended: by `end`, because a message was lost, or because nothing comes any more
 */
export function runConsumer({
  service: { connection, clock },
  deliver,
  heartbeatMs,
  onHeard,
}: RunningConsumerOptions): { ended: Promise<void>; end(): void } {
  let expected = 1
  let missed = 0
  let isOver = false
  const { promise: ended, resolve } = deferred<void>()
  const end = (): void => {
    if (isOver) return
    isOver = true
    cancelWatch()
    subscription.unsubscribe()
    resolve()
  }
  const watch = (): (() => void) =>
    clock.after(heartbeatMs, () => {
      if (++missed > MISSED_HEARTBEATS) end()
      else cancelWatch = watch()
    })
  const subscription = connection.subscribe(deliver, {
    callback: (error, received) => {
      if (isOver) return
      if (error) return end()
      missed = 0
      const delivery = readDelivery(received, connection)
      if (delivery.kind === 'heartbeat' && (delivery.consumerSequence ?? 0) >= expected) return end()
      if (delivery.kind === 'message' && delivery.consumerSequence !== expected++) return end()
      onHeard(delivery.kind === 'message' ? delivery.message : null)
    },
  })
  // A closed connection takes no subscription, and there is nothing to watch then.
  let cancelWatch = watch()
  return { ended, end }
}
