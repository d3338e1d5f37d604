import type { RecordFacts, StoredQuestion, StoredText } from '@sandagent/core/store'
import type { LastLink } from '../lib/links.ts'

/** One of the two texts of a question, as far as the stream was read. */
export interface Half extends LastLink {
  /** The sequence of the last message that counted; 0 for none. */
  sequence: number
  /** `null`: none was stored, it was left out, or it was swept. */
  stored: StoredText | null
}

export interface Entry {
  readonly namespace: string
  readonly toolCallId: string
  readonly record: Half
  readonly answer: Half
  /** What the record's header says. */
  facts: RecordFacts
  /** When the record was last written, in milliseconds since 1970. */
  writtenAt: number
}

const noHalf = (): Half => ({ version: '', isProven: false, sequence: 0, stored: null })

export const newEntry = (namespace: string, toolCallId: string): Entry => ({
  namespace,
  toolCallId,
  record: noHalf(),
  answer: noHalf(),
  facts: { runId: '', askedAt: '', isSettled: false },
  writtenAt: 0,
})

export const questionOf = ({ toolCallId, record, answer }: Entry): StoredQuestion => ({
  toolCallId,
  record: record.stored,
  answer: answer.stored,
})

/** Whether a message of it is in the stream. */
export const isThere = ({ record, answer }: Entry): boolean => record.sequence > 0 || answer.sequence > 0

/** Whether the record's last message is the trace of a sweep. */
export const isSwept = ({ record }: Entry): boolean => record.sequence > 0 && record.version === ''

export const isOpen = ({ record, facts }: Entry): boolean => record.stored !== null && !facts.isSettled

export const isSettled = ({ record, facts }: Entry): boolean => record.stored !== null && facts.isSettled
