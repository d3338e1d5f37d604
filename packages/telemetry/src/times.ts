import type { Outcome } from '@sandagent/core'

/** Moments of a question, in milliseconds since 1970. */
export interface Moments {
  begin: number
  /** When it could be answered. */
  askedAt: number
  /** When the host got the answer that counts, by the host's clock. */
  answeredAt: number | undefined
  end: number
}

/** The share of the person in the time that a question took, in milliseconds. */
export interface Times {
  /** When the person's time began and ended. */
  from: number
  to: number
  human: number
  machine: number
}

/** Whether a person's submission ended the question: it may be partial. */
export const isAnswered = (
  answeredAt: number | undefined,
  kind: Outcome['kind'] | undefined,
): answeredAt is number => answeredAt !== undefined && kind !== 'timed-out' && kind !== 'aborted'

/**
 * Splits the time of a question. The person's time lasts until the host has the answer, or else until the wait is over. The
 * host's clock may differ, so its time is moved into the wait.
 */
export function timesOf(
  { begin, askedAt, answeredAt, end }: Moments,
  kind: Outcome['kind'] | undefined,
): Times {
  const from = Math.min(askedAt, end)
  const to = isAnswered(answeredAt, kind) ? Math.min(Math.max(answeredAt, from), end) : end
  return { from, to, human: to - from, machine: Math.max(0, end - Math.min(begin, from) - (to - from)) }
}
