import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import type { Database } from '../database/database.ts'
import { ChangeLoop, type ChangeLoopOptions } from './change-loop.ts'
import { Subscription } from './subscription.ts'

interface SubscribeOptions {
  namespace: string
  /** Of one question; `null`: all of the namespace. */
  key: string | null
  onlyNew: boolean
  signal: AbortSignal
}

/** Subscribes to what changes. */
export type ChangeFeed = (options: SubscribeOptions) => AsyncIterable<readonly StoredQuestion[]>

/** The subscriptions of this process share one loop, which runs while there are any. */
export function createChangeFeed(
  database: Database,
  options: ChangeLoopOptions,
  closed: AbortSignal,
): ChangeFeed {
  let shared: ChangeLoop | null = null
  return ({ namespace, key, onlyNew, signal }) =>
    stoppable(AbortSignal.any([signal, closed]), async function* (stopped) {
      const wake = createWakeSignal(stopped)
      const subscription = new Subscription(namespace, key, wake.ring)
      shared ??= new ChangeLoop(database, options)
      const loop = shared
      loop.add(subscription, { onlyNew })
      try {
        while (!stopped.aborted) {
          const list = subscription.next()
          if (list) yield list
          else await wake.sleep()
        }
      } finally {
        loop.remove(subscription)
        if (loop.hasEnded) shared = null
      }
    })
}
