import { deferred } from '@sandagent/core/internal'
import type { Service } from '../service/service.ts'
import { readDelivery } from './consumer.ts'
import type { StreamMessage } from './contents.ts'

/** How many heartbeats may fail. */
const MISSED_HEARTBEATS = 3

export interface RunningConsumerOptions {
  service: Pick<Service, 'connection' | 'clock'>
  /** The subject of its messages. */
  deliver: string
  heartbeatMs: number
  /** Whatever has come, it came without a gap before it. */
  onHeard(): void
  onMessage(message: StreamMessage): void
}

/** A subscription to the messages of one consumer. */
export interface RunningConsumer {
  /** Resolves when it has ended: by `end`, because a message was lost, or because nothing comes any more. */
  ended: Promise<void>
  end(): void
}

/** Subscribes to a consumer that is about to be made. */
export function runConsumer({
  service: { connection, clock },
  deliver,
  heartbeatMs,
  onHeard,
  onMessage,
}: RunningConsumerOptions): RunningConsumer {
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
      onHeard()
      if (delivery.kind === 'message') onMessage(delivery.message)
    },
  })
  // A closed connection takes no subscription, and there is nothing to watch then.
  let cancelWatch = watch()
  return { ended, end }
}
