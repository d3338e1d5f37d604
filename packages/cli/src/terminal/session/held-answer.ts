import { AskError, type PageAnswer } from '@sandagent/core/internal'

/** An answer that leaves in a moment, unless the person takes it back. */
export interface Held {
  answer: PageAnswer
  /** When it leaves, in milliseconds since 1970. */
  endsAt: number
}

/** Keeps an answer for a moment before it leaves. What was held once is sent again without another pause. */
export interface HeldAnswer {
  get(): Held | null
  /** Resolves when the answer may leave. @throws AskError `UNREACHABLE` when it is taken back */
  pass(answer: PageAnswer): Promise<void>
  /** Lets it leave now. */
  sendNow(): void
  /** Keeps it. Whether there was one. */
  takeBack(): boolean
  /** The person leaves: keeps it, and all that would be held from now on. */
  close(): void
}

const TAKEN_BACK = new AskError('UNREACHABLE', 'Taken back: nothing was sent.')

/**
 * Holds answers outside of their session: for the session they are on their way. So what leaves is what the person saw,
 * whatever other terminals enter meanwhile.
 *
 * @param pauseMs how long, in milliseconds; 0 for not at all
 * @param onChange called when an answer is held, and when it is not any more
 */
export function createHeldAnswer(pauseMs: () => number, onChange = (): void => {}): HeldAnswer {
  let held: (Held & { end(error?: AskError): void }) | null = null
  let wasHeld = false
  let isClosed = false
  const takeBack = (): boolean => {
    const had = held
    had?.end(TAKEN_BACK)
    return had !== null
  }
  return {
    get: () => held,
    async pass(answer) {
      if (answer.status === 'pending') {
        wasHeld = false
        return
      }
      const undoMs = pauseMs()
      if (undoMs === 0 || wasHeld) return
      if (isClosed) throw TAKEN_BACK
      wasHeld = true
      await new Promise<void>((resolve, reject) => {
        const end = (error?: AskError): void => {
          clearTimeout(timer)
          held = null
          if (error) reject(error)
          else resolve()
          onChange()
        }
        const timer = setTimeout(end, undoMs)
        held = { answer, endsAt: Date.now() + undoMs, end }
        onChange()
      })
    },
    sendNow: () => held?.end(),
    takeBack,
    close() {
      isClosed = true
      takeBack()
    },
  }
}
