import type { NatsConnection } from '@nats-io/transport-node'
import { type Clock, sleep } from '@sandagent/core/internal'

/** How often a view with subscriptions makes sure that it has everything, in milliseconds. */
const POLL_MS = 20_000

/** How long a sweep leaves its traces. A view that lost its consumer for longer reads everything again, in milliseconds. */
export const TRACES_MS = 3_600_000

/** Calls back each time that a lost connection is there again. */
export async function onReconnect(
  connection: NatsConnection,
  signal: AbortSignal,
  again: () => void,
): Promise<void> {
  for await (const { type } of connection.status()) {
    if (signal.aborted) return
    if (type === 'reconnect') again()
  }
}

export async function poll(clock: Clock, signal: AbortSignal, look: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await sleep(clock, POLL_MS, signal)
    await look()
  }
}
