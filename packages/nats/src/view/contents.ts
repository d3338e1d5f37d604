import { continues, linkIn } from '../lib/links.ts'
import { FACTS_HEADER, readFacts } from '../lib/record-facts.ts'
import {
  type BucketNames,
  ID_HEADER,
  idOf,
  readSubject,
  type SubjectFacts,
  SWEPT_HEADER,
  tokenOf,
} from '../lib/subjects.ts'
import { type MemoryLimits, memoryOf } from './memory-limits.ts'
import { type Entry, isThere, newEntry } from './stored-question.ts'

export interface StreamMessage {
  subject: string
  sequence: number
  /** Milliseconds since 1970. */
  storedAt: number
  /** How long the text is. */
  bytes: number
  text(): string
  /** `''` if there is no such header. */
  header(name: string): string
}

export interface ContentsOptions {
  names: BucketNames
  /** The pass of a namespace. Messages with another one are ignored. */
  passOf: (namespace: string) => string
  limits: MemoryLimits
  onChange(entry: Entry): void
}

const noText = { version: '', isProven: false, stored: null }

/** The questions of a stream, as its messages make them one after another. */
export class Contents {
  readonly #options: ContentsOptions
  readonly #namespaces = new Map<string, Map<string, Entry>>()

  constructor(options: ContentsOptions) {
    this.#options = options
  }

  /**
   * Takes the next message.
   *
   * @returns whether it counts: its writer knew the version that was there
   */
  take(message: StreamMessage): boolean {
    const said = readSubject(this.#options.names, message.subject)
    const link = linkIn(message)
    if (!link || !said) return false
    const entry = this.#entryOf(said, message)
    const half = said.kind === 'q' ? entry?.record : entry?.answer
    if (!entry || !half || !continues(half, link)) return false
    const { limits } = this.#options
    const facts = said.kind === 'q' ? readFacts(message.header(FACTS_HEADER), message.storedAt) : entry.facts
    const sweeps = message.header(SWEPT_HEADER) !== ''
    const added = { ...facts, bytes: message.bytes, isOpen: !facts.isSettled && !sweeps }
    let isKept = !sweeps && limits.takesText(entry, message.bytes)
    if (isKept && said.kind === 'q' && !limits.hasRoom(entry, added)) isKept = false
    if (!isKept && !isThere(entry) && !limits.hasRoom(entry, { ...added, bytes: 0, isOpen: false }))
      return true
    this.#change(entry, () => {
      const { version, after } = link
      half.isProven = after === half.version
      half.version = version
      half.sequence = message.sequence
      half.stored = isKept ? { text: message.text(), version } : null
      if (said.kind === 'a') return
      entry.writtenAt = message.storedAt
      entry.facts = facts
      // A question is swept with its answer, which may still be in the stream. Both begin again without a history.
      if (sweeps) for (const each of [half, entry.answer]) Object.assign(each, noText)
    })
    return true
  }

  /** The last trace of a swept question is gone from the stream. */
  forget(entry: Entry): void {
    if (entry.record.stored || entry.answer.stored) return
    this.#change(entry, () => {
      entry.record.sequence = 0
      entry.answer.sequence = 0
    })
  }

  find(namespace: string, toolCallId: string): Entry | undefined {
    return this.#namespaces.get(namespace)?.get(tokenOf(toolCallId))
  }

  /** Everything, or everything of a namespace, in no order. */
  entries(namespace?: string): Entry[] {
    const some = namespace === undefined ? [...this.#namespaces.values()] : [this.#namespaces.get(namespace)]
    return some.flatMap((entries) => [...(entries?.values() ?? [])])
  }

  #entryOf({ namespace, pass, token }: SubjectFacts, message: StreamMessage): Entry | null {
    const entry = this.#namespaces.get(namespace)?.get(token)
    if (pass !== this.#options.passOf(namespace)) return null
    if (entry) return entry
    const id = idOf(token, message.header(ID_HEADER))
    return id === null ? null : newEntry(namespace, id)
  }

  #change(entry: Entry, change: () => void): void {
    const { namespace, toolCallId } = entry
    const before = memoryOf(entry)
    change()
    const entries = this.#namespaces.get(namespace) ?? new Map<string, Entry>()
    this.#options.limits.count(entry, before, memoryOf(entry))
    if (isThere(entry)) {
      this.#namespaces.set(namespace, entries.set(tokenOf(toolCallId), entry))
    } else {
      entries.delete(tokenOf(toolCallId))
      if (entries.size === 0) this.#namespaces.delete(namespace)
    }
    this.#options.onChange(entry)
  }
}
