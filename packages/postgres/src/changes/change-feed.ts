import { createWakeSignal, stoppable } from '@sandagent/core/internal'
import type { StoredQuestion } from '@sandagent/core/store'
import type { Database } from '../database/database.ts'
import { ChangeLoop, type ChangeLoopOptions } from './change-loop.ts'
import { Subscription } from './subscription.ts'

export interface SubscribeOptions {
  namespace: string
  /** Of one question; `null`: all of the namespace. */
  key: string | null
  onlyNew: boolean
  signal: AbortSignal
}

/** The subscriptions of this process. They share one loop, which runs while there are any. */
export class ChangeFeed {
  readonly #database: Database
  readonly #options: ChangeLoopOptions
  readonly #closed: AbortSignal
  #loop: ChangeLoop | null = null

  constructor(database: Database, options: ChangeLoopOptions, closed: AbortSignal) {
    this.#database = database
    this.#options = options
    this.#closed = closed
  }

  subscribe({ namespace, key, onlyNew, signal }: SubscribeOptions): AsyncIterable<readonly StoredQuestion[]> {
    const open = (wake: () => void): Subscription => {
      this.#loop ??= new ChangeLoop(this.#database, this.#options)
      const subscription = new Subscription(namespace, key, wake)
      this.#loop.add(subscription, { onlyNew })
      return subscription
    }
    const close = (subscription: Subscription): void => {
      this.#loop?.remove(subscription)
      if (this.#loop?.hasEnded) this.#loop = null
    }
    return stoppable(AbortSignal.any([signal, this.#closed]), async function* (stopped) {
      const wake = createWakeSignal(stopped)
      const subscription = open(wake.ring)
      try {
        while (!stopped.aborted) {
          const list = subscription.next()
          if (list) yield list
          else await wake.sleep()
        }
      } finally {
        close(subscription)
      }
    })
  }
}
