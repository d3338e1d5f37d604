import { createWakeSignal, deferred, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import { latestChanges } from '@sandagent/fleet/internal'
import type { Database } from '../database/database.ts'
import { ChangeLoop, type ChangeLoopOptions } from './change-loop.ts'
import type { Subscription } from './subscriptions.ts'

interface SubscribeOptions extends Pick<Subscription, 'namespace' | 'key' | 'onlyAnswers'> {
  signal: AbortSignal
  /** Called with what comes, before it is yielded. */
  onTake(stored: StoredQuestion): void
}

export type ChangeFeed = (options: SubscribeOptions) => AsyncIterable<readonly StoredQuestion[]>

/** The subscriptions of this process share one loop, which runs while there are any. */
export function createChangeFeed(
  database: Database,
  options: ChangeLoopOptions,
  closed: AbortSignal,
): ChangeFeed {
  let shared: ChangeLoop | null = null
  return ({ namespace, key, onlyAnswers, signal, onTake }) =>
    stoppable(AbortSignal.any([signal, closed]), async function* (stopped) {
      const { take, lists } = latestChanges<StoredQuestion>(stopped)
      const { promise: holds, resolve: hold } = deferred<void>()
      const subscription: Subscription = {
        namespace,
        key,
        onlyAnswers,
        take(of, stored) {
          onTake(stored)
          take(of, stored)
        },
        hold,
      }
      shared ??= new ChangeLoop(database, options)
      const loop = shared
      loop.add(subscription)
      try {
        // Nobody rings the second one: it wakes when the subscription ends.
        await Promise.race([holds, createWakeSignal(stopped).sleep()])
        yield* lists()
      } finally {
        loop.remove(subscription)
        if (loop.hasEnded) shared = null
      }
    })
}
