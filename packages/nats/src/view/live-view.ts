import { AskError, type Clock, type OnWarning, sleep } from '@sandagent/core/internal'
import { type RequestOptions, type Service, unreachable } from '../service/service.ts'
import type { Start } from './consumer.ts'
import { runConsumer } from './running-consumer.ts'
import type { View } from './view.ts'
import { Waiters } from './waiters.ts'

/** How long a reader waits until the view has what the stream has, in milliseconds. */
const PATIENCE_MS = 10_000

/** After this time a consumer that did not send what is in the stream is replaced, in milliseconds. */
const SILENCE_MS = 2000

/** How often a view with subscriptions makes sure that it has everything, in milliseconds. */
const POLL_MS = 20_000

/** How long a sweep leaves its traces. A view that lost its consumer for longer reads everything again, in milliseconds. */
export const TRACES_MS = 3_600_000

export interface LiveViewOptions {
  service: Service
  view: View
  clock: Clock
  /** A subject of this view's own, in the stream and in what its consumers send. */
  barrier: string
  heartbeatMs: number
  /** A new subject for a consumer's messages. */
  deliverSubject(): string
  /** Starts a consumer. */
  start(deliver: string, from: Start): Promise<void>
  onWarning?: OnWarning | undefined
}

/**
 * A view that follows its stream, by one consumer after another. `caughtUp` makes it linearizable: it stores a message of its
 * own, the barrier, and waits until the consumer has sent it. The order of a stream is the same for all, so by then the view
 * has everything that was acknowledged before.
 */
export class LiveView {
  readonly #options: LiveViewOptions
  readonly #stop = new AbortController()
  readonly #waiters: Waiters
  #last = 0
  #isLive = false
  /** The consumer at work is given up. */
  #giveUp = (): void => {}
  #heardAt = 0
  #mustReadAll = true
  #following: Promise<void> | undefined
  #running: Promise<void> | undefined
  #next: Promise<void> | undefined
  #failure: unknown

  constructor(options: LiveViewOptions) {
    this.#options = options
    this.#waiters = new Waiters(options.clock)
  }

  /** Resolves once the view has everything that was acknowledged before this call. @throws AskError `UNREACHABLE` */
  caughtUp(): Promise<void> {
    // All who come while a barrier is on its way share the next one.
    this.#next ??= (async () => {
      await this.#running?.catch(() => {})
      this.#running = this.#next
      this.#next = undefined
      await this.#passBarrier()
    })()
    return this.#next
  }

  /** Resolves once the view has the message with this sequence, and all before it. @throws AskError `UNREACHABLE` */
  async reached(sequence: number, until: number = this.#options.clock.now() + PATIENCE_MS): Promise<void> {
    const { clock } = this.#options
    this.#begin()
    let silence = SILENCE_MS
    while (!this.#isLive || this.#last < sequence) {
      const left = until - clock.now()
      if (left <= 0 || this.#stop.signal.aborted)
        throw unreachable('NATS does not send what it stored', this.#failure)
      const wasLive = this.#isLive
      await this.#waiters.wait(sequence, Math.min(left, silence))
      if (this.#isLive && this.#last >= sequence) return
      if (wasLive && this.#isLive) this.#giveUp()
      silence *= 2
    }
  }

  /**
   * Stores a message, as the service does. If its sequence is not a new one, an older copy of the stream was restored. Then all is
   * read again.
   */
  async publish(subject: string, text: string, options?: RequestOptions): Promise<number | null> {
    const before = this.#last
    const sequence = await this.#options.service.publish(subject, text, options)
    if (sequence !== null && sequence <= before) this.#readAgain()
    return sequence
  }

  close(): void {
    this.#stop.abort()
    this.#giveUp()
    this.#waiters.wake(Number.POSITIVE_INFINITY)
  }

  get closed(): AbortSignal {
    return this.#stop.signal
  }

  async #passBarrier(): Promise<void> {
    const { clock } = this.#options
    const until = clock.now() + PATIENCE_MS
    this.#begin()
    await this.reached(await this.#storeBarrier(until), until)
  }

  async #storeBarrier(until: number): Promise<number> {
    const { barrier, clock } = this.#options
    for (;;) {
      try {
        const patienceMs = Math.min(SILENCE_MS / 2, until - clock.now())
        return (await this.publish(barrier, '', { patienceMs })) ?? 0
      } catch (error) {
        // It does not matter if a barrier is stored twice.
        if (clock.now() + SILENCE_MS / 4 > until || this.#stop.signal.aborted)
          throw unreachable('The questions cannot be read', error)
        await sleep(clock, SILENCE_MS / 20)
      }
    }
  }

  #readAgain(): void {
    this.#options.view.forgetSequences()
    this.#last = 0
    this.#isLive = false
    this.#mustReadAll = true
    this.#giveUp()
  }

  #wake(): void {
    if (this.#isLive) this.#waiters.wake(this.#last)
  }

  #begin(): void {
    if (this.#stop.signal.aborted) throw new AskError('UNREACHABLE', 'The connection to NATS is closed')
    this.#following ??= this.#follow()
  }

  #warn(error: unknown): void {
    if (this.#stop.signal.aborted) return
    const { message } = unreachable('Questions are not followed at the moment', error)
    this.#options.onWarning?.({ code: 'UNREACHABLE', message })
  }

  /** A consumer may be gone with the server that the connection was lost to. Another one goes on where it was. */
  async #watchConnection(): Promise<void> {
    for await (const { type } of this.#options.service.connection.status()) {
      if (this.#stop.signal.aborted) return
      if (type === 'reconnect') this.#giveUp()
    }
  }

  /** Finds a consumer that seems to work and does not send what is in the stream. */
  async #poll(): Promise<void> {
    const { clock, view } = this.#options
    while (!this.#stop.signal.aborted) {
      await sleep(clock, POLL_MS, this.#stop.signal)
      // The loop of the consumers reports what fails.
      if (view.hasListeners) await this.caughtUp().catch(() => {})
    }
  }

  async #follow(): Promise<void> {
    const { clock } = this.#options
    this.#watchConnection().catch(() => {})
    void this.#poll()
    let pauseMs = 50
    while (!this.#stop.signal.aborted) {
      try {
        await this.#consume(() => {
          pauseMs = 50
        })
        this.#failure = undefined
      } catch (error) {
        if (!this.#failure) this.#warn(error)
        this.#failure = error
      }
      if (this.#stop.signal.aborted) return
      await sleep(clock, pauseMs, this.#stop.signal)
      pauseMs = Math.min(2 * pauseMs, SILENCE_MS)
    }
  }

  /** The life of one consumer. */
  async #consume(onLive: () => void): Promise<void> {
    const { service, view, clock, heartbeatMs, deliverSubject, start, barrier } = this.#options
    const readsAll = this.#mustReadAll || clock.now() - this.#heardAt > TRACES_MS / 2
    if (readsAll) {
      this.#isLive = false
      this.#mustReadAll = true
      view.beginReading()
    }
    let readsUntil = Number.POSITIVE_INFINITY
    const beLive = (): void => {
      if (this.#last < readsUntil) return
      if (readsAll && !this.#isLive) view.endReading()
      this.#mustReadAll = false
      this.#isLive = true
      onLive()
      this.#wake()
    }
    const deliver = deliverSubject()
    const consumer = runConsumer({
      connection: service.connection,
      clock,
      deliver,
      heartbeatMs,
      onHeard: () => {
        this.#heardAt = clock.now()
      },
      onMessage: (message) => {
        view.take(message)
        this.#last = Math.max(this.#last, message.sequence)
        beLive()
      },
    })
    this.#giveUp = consumer.end
    let isOver = false
    const begin = async (): Promise<void> => {
      // This barrier shows whether an older copy was restored meanwhile.
      if (!readsAll) await this.publish(barrier, '')
      if (isOver || this.#mustReadAll !== readsAll) return
      const from = this.#last + 1
      await start(deliver, readsAll ? { from: 'last-values' } : { from: 'sequence', sequence: from })
      // This barrier is stored after the consumer was made, so the consumer sends it after all last values of that moment.
      const sequence = readsAll ? ((await this.publish(barrier, '')) ?? 0) : 0
      if (isOver) return
      readsUntil = sequence
      beLive()
      await consumer.ended
    }
    try {
      await Promise.race([begin(), consumer.ended])
    } finally {
      isOver = true
      consumer.end()
    }
  }
}
