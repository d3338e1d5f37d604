import { type AnswerableSandbox, watchQuestions } from '@sandagent/sdk'
import type { AnswerTimes } from '../shared/api.ts'

/** Measures how long answers take to reach the agent. */
export interface AnswerTimer {
  /** Call this when a draft or an answer arrives. The last arrival before the receipt counts. */
  answerArrived(toolCallId: string): void
  /** `null` until the agent has confirmed the answer. */
  timesOf(toolCallId: string): AnswerTimes | null
  close(): void
}

/** Subscribes to the questions of a sandbox, and times their receipts. */
export function createAnswerTimer(sandbox: AnswerableSandbox): AnswerTimer {
  const stop = new AbortController()
  const arrivals = new Map<string, number>()
  const times = new Map<string, AnswerTimes>()

  const follow = async (): Promise<void> => {
    for await (const { toolCallId, settledAt, answeredAt } of watchQuestions(sandbox, {
      signal: stop.signal,
      all: true,
    })) {
      const arrivedAt = arrivals.get(toolCallId)
      if (settledAt === undefined || answeredAt === undefined || arrivedAt === undefined) continue
      arrivals.delete(toolCallId)
      times.set(toolCallId, {
        confirmedMs: performance.now() - arrivedAt,
        writtenMs: Date.parse(settledAt) - Date.parse(answeredAt),
      })
    }
  }
  follow().catch(console.error)

  return {
    answerArrived(toolCallId) {
      if (!times.has(toolCallId)) arrivals.set(toolCallId, performance.now())
    },
    timesOf: (toolCallId) => times.get(toolCallId) ?? null,
    close: () => stop.abort(),
  }
}
