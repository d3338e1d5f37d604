import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { type Entry, isOpen, type MemoryUse, NO_USE } from './stored-question.ts'

/** How many open questions of one namespace are kept. */
export const MOST_OPEN = 10_000

/** How much memory the questions of one namespace take without their answers, in bytes. */
export const MOST_BYTES = 268_435_456

/** What a question without a text takes, in bytes. */
const ENTRY_BYTES = 1000

/** What a record in the stream would bring. */
export interface NewRecord {
  bytes: number
  runId: string
  isOpen: boolean
}

/** Keeps one namespace from filling the memory of all hosts: records come from sandboxes. */
export class MemoryLimits {
  readonly #uses = new Map<string, MemoryUse>()
  readonly #warn: (namespace: string, what: string) => void

  constructor(warn: (namespace: string, what: string) => void) {
    this.#warn = warn
  }

  /** Whether a text of this length is kept. */
  takesText({ namespace }: Entry, bytes: number): boolean {
    if (bytes <= MAX_FILE_BYTES) return true
    this.#warn(namespace, `has a text of more than ${MAX_FILE_BYTES} bytes`)
    return false
  }

  /** Whether there is room for a record. Where there is none, a question may still become smaller. */
  hasRoom(entry: Entry, { bytes, runId, isOpen }: NewRecord): boolean {
    const { namespace, toolCallId, use } = entry
    const used = this.#uses.get(namespace) ?? NO_USE
    const more = ENTRY_BYTES + toolCallId.length + runId.length + bytes - use.bytes
    if (isOpen && use.open === 0 && used.open >= MOST_OPEN)
      this.#warn(namespace, `has more than ${MOST_OPEN} open questions`)
    else if (more > 0 && used.bytes + more > MOST_BYTES)
      this.#warn(namespace, `has questions of more than ${MOST_BYTES} bytes`)
    else return true
    return false
  }

  /** Counts what an entry takes now. Answers do not count: hosts write them, and none may be left out. */
  count(entry: Entry, isKept: boolean): void {
    const { namespace, toolCallId, facts, record } = entry
    const text = record.stored?.text ?? ''
    const use: MemoryUse = isKept
      ? {
          open: isOpen(entry) ? 1 : 0,
          bytes: ENTRY_BYTES + toolCallId.length + facts.runId.length + text.length,
        }
      : NO_USE
    const used = this.#uses.get(namespace) ?? NO_USE
    const open = used.open + use.open - entry.use.open
    const bytes = used.bytes + use.bytes - entry.use.bytes
    entry.use = use
    if (bytes > 0) this.#uses.set(namespace, { open, bytes })
    else this.#uses.delete(namespace)
  }
}
