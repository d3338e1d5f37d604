import { MAX_FILE_BYTES } from '@sandagent/core/internal'
import { type Entry, isOpen, isThere } from './stored-question.ts'

/** How many open questions of one namespace are kept. */
export const MOST_OPEN = 10_000

/** How much memory the questions of one namespace take without their answers, in bytes. */
export const MOST_BYTES = 268_435_456

/** What a question without a text takes, in bytes. */
const ENTRY_BYTES = 1000

/** What is kept of the questions of a namespace, or of one of them. */
interface MemoryUse {
  open: number
  bytes: number
}

const NO_USE: MemoryUse = { open: 0, bytes: 0 }

/** Answers do not count: hosts write them, and none may be left out. */
export const memoryOf = (entry: Entry): MemoryUse =>
  isThere(entry)
    ? {
        open: isOpen(entry) ? 1 : 0,
        bytes: bytesOf(entry, entry.facts.runId, entry.record.stored?.text.length),
      }
    : NO_USE

const bytesOf = ({ toolCallId }: Entry, runId: string, textBytes = 0): number =>
  ENTRY_BYTES + toolCallId.length + runId.length + textBytes

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

  takesText({ namespace }: Entry, bytes: number): boolean {
    if (bytes <= MAX_FILE_BYTES) return true
    this.#warn(namespace, `has a text of more than ${MAX_FILE_BYTES} bytes`)
    return false
  }

  /** Whether there is room for a record. Where there is none, a question may still become smaller. */
  hasRoom(entry: Entry, { bytes, runId, isOpen }: NewRecord): boolean {
    const { namespace } = entry
    const use = memoryOf(entry)
    const used = this.#uses.get(namespace) ?? NO_USE
    const more = bytesOf(entry, runId, bytes) - use.bytes
    if (isOpen && use.open === 0 && used.open >= MOST_OPEN)
      this.#warn(namespace, `has more than ${MOST_OPEN} open questions`)
    else if (more > 0 && used.bytes + more > MOST_BYTES)
      this.#warn(namespace, `has questions of more than ${MOST_BYTES} bytes`)
    else return true
    return false
  }

  count({ namespace }: Entry, before: MemoryUse, now: MemoryUse): void {
    const used = this.#uses.get(namespace) ?? NO_USE
    const bytes = used.bytes + now.bytes - before.bytes
    if (bytes > 0) this.#uses.set(namespace, { open: used.open + now.open - before.open, bytes })
    else this.#uses.delete(namespace)
  }
}
