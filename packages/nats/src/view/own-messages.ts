import { type Clock, createWakeSignal, type WakeSignal } from '@sandagent/core/internal'

/** After this time a consumer that did not send what is in the stream is replaced, in milliseconds. */
export const SILENCE_MS = 2000

export interface OwnMessage {
  readonly id: string
  /** Whether it counts. `undefined`: the view does not have it yet. */
  counts: boolean | undefined
  readonly wake: WakeSignal
}

/** The messages of this process that its view waits for. */
export class OwnMessages {
  readonly #clock: Clock
  readonly #closed: AbortSignal
  readonly #all = new Map<string, OwnMessage>()

  constructor(clock: Clock, closed: AbortSignal) {
    this.#clock = clock
    this.#closed = closed
  }

  /** Waits for the message while `work` goes on. */
  async during<T>(id: string, work: (own: OwnMessage) => Promise<T>): Promise<T> {
    const own: OwnMessage = { id, counts: undefined, wake: createWakeSignal(this.#closed) }
    this.#all.set(id, own)
    try {
      return await work(own)
    } finally {
      this.#all.delete(id)
    }
  }

  /** The view has the message with this id. */
  note(id: string, counts: boolean): void {
    const own = this.#all.get(id)
    if (own) own.counts = counts
  }

  /** Everything is read again, these messages too. */
  forget(): void {
    for (const own of this.#all.values()) own.counts = undefined
  }

  /** Resolves when `wake` is called and the view has the message, or after `ms` milliseconds. */
  async wait({ wake }: OwnMessage, ms: number): Promise<void> {
    const cancel = this.#clock.after(ms, wake.ring)
    await wake.sleep()
    cancel()
  }

  wake(): void {
    for (const { counts, wake } of this.#all.values()) if (counts !== undefined) wake.ring()
  }
}
