// Why it is so: docs/decisions/0071-a-read-of-nats-passes-a-barrier.md

import { setMaxListeners } from 'node:events'
import { headers, type MsgHdrs } from '@nats-io/transport-node'
import { AskError, backOffMs, createMutex, type OnWarning, sleep } from '@sandagent/core/internal'
import { AFTER_HEADER, nextVersion, VERSION_HEADER } from '../lib/links.ts'
import type { BucketNames } from '../lib/subjects.ts'
import { orUnreachable, type Service, unreachable } from '../service/service.ts'
import type { Start } from './consumer.ts'
import { type OwnMessage, OwnMessages, SILENCE_MS } from './own-messages.ts'
import { runConsumer } from './running-consumer.ts'
import { onReconnect, poll, TRACES_MS } from './upkeep.ts'
import { View } from './view.ts'

/** How long a reader waits until the view has what the stream has, in milliseconds. */
const PATIENCE_MS = 10_000

/** The pauses before the stream is followed again. */
const RECONNECT = [50, SILENCE_MS] as const

export interface LiveViewOptions {
  passOf: (namespace: string) => string
  /** A subject of this view's own, in the stream and in what its consumers send. */
  barrier: string
  heartbeatMs: number
  /** A new subject for a consumer's messages. */
  deliverSubject(): string
  start(deliver: string, from: Start): Promise<void>
  onWarning?: OnWarning | undefined
}

/**
 * A view that follows its stream, by one consumer after another. `caughtUp` makes it linearizable: it stores a message of its
 * own, the barrier, and waits until the consumer has sent this very message. The order of a stream is the same for all, so by
 * then the view has everything that was acknowledged before. Sequences are not compared: after a fault, servers may disagree
 * about them.
 */
export class LiveView {
  readonly service: Service
  readonly names: BucketNames
  readonly view: View
  readonly #options: LiveViewOptions
  readonly #stop = new AbortController()
  readonly closed: AbortSignal = this.#stop.signal
  readonly #own: OwnMessages
  /** Whether the view is complete, up to what is on its way. If not, all is read. */
  isLive = false
  #last = 0
  /** The consumer at work is given up. */
  #giveUp = (): void => {}
  #heardAt = 0
  #following: Promise<void> | undefined
  readonly #inTurn = createMutex()
  #next: Promise<View> | undefined
  #failures = 0
  #failure: unknown

  constructor(service: Service, names: BucketNames, options: LiveViewOptions) {
    this.service = service
    this.names = names
    this.view = new View(names, options.passOf, options.onWarning)
    this.#options = options
    this.#own = new OwnMessages(service.clock, this.closed)
    // Each message under way waits for it.
    setMaxListeners(0, this.closed)
  }

  /** The view, once it has everything that was acknowledged before this call. @throws AskError `UNREACHABLE` */
  caughtUp(): Promise<View> {
    // All who come while a barrier is on its way share the next one.
    this.#next ??= this.#inTurn('barrier', async () => {
      this.#next = undefined
      await this.#passBarrier()
      return this.view
    })
    return this.#next
  }

  /**
   * Stores a text behind the version that is there, and waits until the view has it.
   *
   * @param after `''`: there is none
   * @returns its version; `null` if another version came first
   * @throws AskError `UNREACHABLE` Then nobody knows whether it was stored
   */
  async write(subject: string, text: string, after: string, header: MsgHdrs): Promise<string | null> {
    this.#begin()
    const version = nextVersion(after)
    header.set(VERSION_HEADER, version)
    if (after) header.set(AFTER_HEADER, after)
    return this.#own.during(version, async (own) => {
      await orUnreachable('Whether it was stored is not known', () => this.#publish(subject, text, header))
      return (await this.#counts(own, this.service.clock.now() + PATIENCE_MS)) ? version : null
    })
  }

  close(): void {
    this.#stop.abort()
    this.#giveUp()
  }

  async #passBarrier(): Promise<void> {
    const until = this.service.clock.now() + PATIENCE_MS
    this.#begin()
    await this.#own.during(crypto.randomUUID(), async (own) => {
      const store = (): Promise<void> => this.#storeBarrier(own.id, until)
      await store()
      // The newest barriers stay, so a consumer that lags behind may not find this one any more.
      await this.#counts(own, until, store)
    })
  }

  /**
   * Waits until the view is live and has the message. A consumer that does not send it is replaced.
   *
   * @param again what is done behind that
   * @returns whether it counts
   */
  async #counts(own: OwnMessage, until: number, again?: () => Promise<void>): Promise<boolean> {
    for (let silence = SILENCE_MS; ; silence *= 2) {
      if (this.isLive && own.counts !== undefined) return own.counts
      const left = until - this.service.clock.now()
      if (left <= 0 || this.closed.aborted)
        throw unreachable('NATS does not send what it stored', this.#failure)
      const wasLive = this.isLive
      await this.#own.wait(own, Math.min(left, silence))
      if (own.counts !== undefined || !wasLive || !this.isLive) continue
      this.#giveUp()
      await again?.()
    }
  }

  async #storeBarrier(id: string, until: number): Promise<void> {
    const { clock } = this.service
    const header = headers()
    header.set(VERSION_HEADER, id)
    for (;;) {
      try {
        return await this.#publish(this.#options.barrier, '', header, SILENCE_MS / 2)
      } catch (error) {
        // It does not matter if a barrier is stored twice.
        if (clock.now() + SILENCE_MS / 4 > until || this.closed.aborted)
          throw unreachable('The questions cannot be read', error)
        await sleep(clock, SILENCE_MS / 20)
      }
    }
  }

  /** Stores a message. If its sequence was there before, an older copy of the stream was restored. Then all is read again. */
  async #publish(subject: string, text: string, header: MsgHdrs, patienceMs?: number): Promise<void> {
    const before = this.isLive ? this.#last : 0
    const sequence = await this.service.publish(subject, text, { headers: header, patienceMs })
    if (sequence !== null && sequence <= before) this.#readAgain()
  }

  #readAgain(): void {
    this.#last = 0
    this.isLive = false
    this.#giveUp()
  }

  #begin(): void {
    if (this.closed.aborted)
      throw new AskError('UNREACHABLE', 'This fleet was closed by close(). Make a new one')
    this.#following ??= this.#follow()
  }

  async #follow(): Promise<void> {
    const { view, service } = this
    // A consumer may be gone with the server that the connection was lost to. Another one goes on where it was.
    onReconnect(service.connection, this.closed, () => this.#giveUp()).catch(() => {})
    // This finds a consumer that seems to work and does not send what is in the stream. The loop below reports what fails.
    void poll(service.clock, this.closed, async () => {
      if (view.hasListeners) await this.caughtUp().catch(() => {})
    })
    while (!this.closed.aborted) {
      try {
        await this.#consume()
        this.#failure = undefined
      } catch (error) {
        if (this.closed.aborted) return
        const { message } = unreachable('Questions are not followed at the moment', error)
        if (!this.#failure) this.#options.onWarning?.({ code: 'UNREACHABLE', message })
        this.#failure = error
      }
      await sleep(service.clock, backOffMs(++this.#failures, ...RECONNECT), this.closed)
    }
  }

  async #consume(): Promise<void> {
    const { service, view } = this
    const { heartbeatMs, deliverSubject, start } = this.#options
    const readsAll = !this.isLive || service.clock.now() - this.#heardAt > TRACES_MS / 2
    if (readsAll) {
      this.#readAgain()
      this.#own.forget()
      view.beginReading()
    }
    const beLive = (): void => {
      if (readsAll) view.endReading()
      this.isLive = true
      this.#failures = 0
      this.#own.wake()
    }
    /** The barrier behind all that is to be read. */
    const end = crypto.randomUUID()
    const deliver = deliverSubject()
    const consumer = runConsumer({
      service,
      deliver,
      heartbeatMs,
      onHeard: (message) => {
        this.#heardAt = service.clock.now()
        if (!message) return
        const counts = view.take(message)
        this.#last = message.sequence
        const id = message.header(VERSION_HEADER)
        this.#own.note(id, counts)
        if (id === end && !this.isLive) beLive()
        else if (this.isLive) this.#own.wake()
      },
    })
    this.#giveUp = consumer.end
    let isOver = false
    const begin = async (): Promise<void> => {
      const store = (): Promise<void> => this.#storeBarrier(end, service.clock.now() + PATIENCE_MS)
      // This barrier shows whether an older copy was restored meanwhile.
      if (!readsAll) await store()
      if (isOver || this.isLive === readsAll) return
      const from = readsAll ? undefined : this.#last + 1
      await start(deliver, from)
      if (!readsAll && !isOver) beLive()
      // This barrier is stored after the consumer was made, so the consumer sends it after all that was there at that moment.
      await this.#own.during(end, async (own) => {
        for (let silence = SILENCE_MS; !isOver && !this.isLive; silence *= 2) {
          await store()
          if (!this.isLive) await Promise.race([consumer.ended, this.#own.wait(own, silence)])
        }
      })
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
