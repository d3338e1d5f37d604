// Why it is so: docs/decisions/0106-the-id-of-an-interrupt-says-where-to-go-on.md

import { digestOf, type QuestionView } from '@sandagent/core/internal'

/** What the id of an interrupt says. */
export interface InterruptPlace {
  /** How many chunks of the run were told before: the next run goes on behind them. */
  told: number
  toolCallId: string
  /** The hash of the thread, of the question as it was asked, and of all of the above. */
  digest: string
}

/**
 * The id of an interrupt. Clients send it back as it is, and nothing else for sure. So it says where to go on, and an answer
 * counts for this question in this thread alone, as it was shown.
 */
export const interruptId = (threadId: string, told: number, view: QuestionView): string =>
  `${told}.${digestFor(threadId, told, view)}.${view.toolCallId}`

const digestFor = (
  threadId: string,
  told: number,
  { toolCallId, questionDigest, askedAt }: QuestionView,
): string => digestOf([threadId, told, toolCallId, questionDigest, askedAt]).slice(0, 32)

/** Reads an id; `null` for what is none. */
export function placeIn(id: string): InterruptPlace | null {
  const [, told, digest, toolCallId] = /^(\d{1,9})\.([0-9a-f]{32})\.(.+)$/s.exec(id) ?? []
  if (digest === undefined || toolCallId === undefined) return null
  return { told: Number(told), digest, toolCallId }
}

/** Whether an id was made for this question in this thread. */
export const isFor = ({ told, digest }: InterruptPlace, threadId: string, view: QuestionView): boolean =>
  digest === digestFor(threadId, told, view)
