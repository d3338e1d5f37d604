import type { Clock } from '@sandagent/core'

/** After this time a consumer that did not send what is in the stream is replaced, in milliseconds. */
export const SILENCE_MS = 2000

/** A message that this process stores. */
export interface OwnMessage {
  readonly id: string
  /** Whether it counts. `undefined`: the view does not have it yet. */
  counts: boolean | undefined
}

export interface OwnMessagesOptions {
  clock: Clock
  /** Whether the view is complete, up to what is on its way. */
  isLive(): boolean
  /** The consumer does not send what is in the stream. */
  onSilence(): void
}

/** The messages of this process that its view waits for. */
export class OwnMessages {
  readonly #options: OwnMessagesOptions
  readonly #all = new Map<string, OwnMessage>()
  readonly #waiting = new Map<() => void, OwnMessage>()

  constructor(options: OwnMessagesOptions) {
    this.#options = options
  }

  /** Waits for the message while `work` goes on. */
  async during<T>(id: string, work: (own: OwnMessage) => Promise<T>): Promise<T> {
    const own: OwnMessage = { id, counts: undefined }
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

  /**
   * Waits until the view is live and has the message.
   *
   * @param again what is done behind `onSilence`
   * @returns whether it counts; `null` if it did not come in time
   */
  async counts(
    own: OwnMessage,
    until: number,
    signal: AbortSignal,
    again = async (): Promise<void> => {},
  ): Promise<boolean | null> {
    const { clock, isLive, onSilence } = this.#options
    for (let silence = SILENCE_MS; ; silence *= 2) {
      if (isLive() && own.counts !== undefined) return own.counts
      const left = until - clock.now()
      if (left <= 0 || signal.aborted) return null
      const wasLive = isLive()
      await this.wait(own, Math.min(left, silence))
      if (own.counts !== undefined || !wasLive || !isLive()) continue
      onSilence()
      await again()
    }
  }

  /** Resolves when `wake` is called and the view has the message, or after `ms` milliseconds. */
  wait(own: OwnMessage, ms: number): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel()
        this.#waiting.delete(end)
        resolve()
      }
      const cancel = this.#options.clock.after(ms, end)
      this.#waiting.set(end, own)
    })
  }

  wake(): void {
    for (const [end, { counts }] of this.#waiting) if (counts !== undefined) end()
  }

  wakeAll(): void {
    for (const end of this.#waiting.keys()) end()
  }
}
