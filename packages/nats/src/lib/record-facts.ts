import type { RecordFacts } from '@sandagent/core/store'

/** The header that says of a record what lists need. */
export const FACTS_HEADER = 'Sandagent-Facts'

/** Facts as a header: JSON in base64url, because a run's id may hold any character. */
export const factsHeaderOf = ({ runId, askedAt, isSettled }: RecordFacts): string =>
  Buffer.from(JSON.stringify([runId, askedAt, isSettled])).toString('base64url')

/**
 * What a header says. It comes from a sandbox. Anything else than facts makes the record one that was asked when it was
 * stored.
 */
export function readFacts(header: string, writtenAt: number): RecordFacts {
  try {
    const [runId, askedAt, isSettled] = JSON.parse(Buffer.from(header, 'base64url').toString()) as unknown[]
    if (typeof runId === 'string' && isTime(askedAt)) return { runId, askedAt, isSettled: isSettled === true }
  } catch {
    // Not the header of a runner of this package.
  }
  return { runId: '', askedAt: new Date(writtenAt).toISOString(), isSettled: false }
}

const isTime = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 40 && !Number.isNaN(Date.parse(value))
