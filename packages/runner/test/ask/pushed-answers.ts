import type { AnswerFile, AnswerSubscription } from '@sandagent/core/internal'
import { createFakeClock, openRecord } from '@sandagent/testing'
import { vi } from 'vitest'

const ASKED_AT = openRecord('c').askedAt

/** Subscriptions that give what a test pushes, and a clock that stands at the moment of the question. */
export function pushedAnswers() {
  const clock = createFakeClock()
  clock.advance(Date.parse(ASKED_AT) - clock.now())
  let give = (_: AnswerFile | null): void => {}
  const subscribe = vi.fn((_toolCallId: string): AnswerSubscription => {
    let isClosed = false
    return {
      next: () => (isClosed ? Promise.resolve(null) : new Promise((resolve) => (give = resolve))),
      close: vi.fn(() => {
        isClosed = true
        give(null)
      }),
    }
  })
  /** Lets everything happen that waits for nothing. */
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  const push = async (answerFile: AnswerFile | null): Promise<void> => {
    await settled()
    give(answerFile)
    await settled()
    // The receipt is begun after the agent has gone on.
    await settled()
  }
  /** Whether a wait is over so many milliseconds later. */
  const overAfter = (wait: Promise<unknown>) => {
    let isOver = false
    const over = () => {
      isOver = true
    }
    wait.then(over, over)
    return async (ms: number): Promise<boolean> => {
      await settled()
      clock.advance(ms)
      await settled()
      return isOver
    }
  }
  return { clock, subscribe, push, overAfter }
}
