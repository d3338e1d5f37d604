import type { OnWarning } from '@sandagent/core'
import type {
  FleetPlace,
  FleetQuestion,
  ListedQuestion,
  StoredQuestion,
  StoreListOptions,
} from '@sandagent/store'
import { FACTS_HEADER, readFacts } from '../lib/record-facts.ts'
import { Sorted } from '../lib/sorted.ts'
import {
  type BucketNames,
  ID_HEADER,
  idOf,
  readSubject,
  SWEPT_HEADER,
  type TextKind,
  tokenOf,
} from '../lib/subjects.ts'
import { MemoryLimits } from './memory-limits.ts'
import {
  comparePlaces,
  type Entry,
  fleetQuestionOf,
  isOpen,
  isSettled,
  listedQuestionOf,
  newEntry,
  placeOf,
  questionOf,
} from './stored-question.ts'

/** A message of the stream. */
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

type Listener = (entry: Entry) => void

/** What a stream says so far of the questions: the last message of each text. */
export class View {
  readonly #names: BucketNames
  readonly #passOf: (namespace: string) => string
  readonly #namespaces = new Map<string, Map<string, Entry>>()
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #open = new Sorted<Entry>((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  readonly #limits: MemoryLimits
  #reading = 0

  /** @param passOf the pass of a namespace; messages with another one are ignored */
  constructor(names: BucketNames, passOf: (namespace: string) => string, onWarning?: OnWarning) {
    this.#names = names
    this.#limits = new MemoryLimits(onWarning)
    this.#passOf = passOf
  }

  /** From here on, the whole stream is read again. */
  beginReading(): void {
    this.#reading++
  }

  /** The whole stream was read. What was not in it is gone. */
  endReading(): void {
    for (const entries of this.#namespaces.values())
      for (const entry of entries.values()) {
        const gone = [entry.record, entry.answer].filter(({ reading }) => reading < this.#reading)
        if (gone.length === 0) continue
        this.#change(entry, () => {
          for (const half of gone) Object.assign(half, { sequence: 0, stored: null })
        })
      }
  }

  /** The stream was replaced by an older copy, so its sequences begin again. */
  forgetSequences(): void {
    for (const entries of this.#namespaces.values())
      for (const { record, answer } of entries.values()) {
        record.sequence = 0
        answer.sequence = 0
      }
  }

  /** Takes the next message. */
  take(message: StreamMessage): void {
    const said = readSubject(this.#names, message.subject)
    if (!said || said.kind === 'b') return
    const entry = this.#entryOf(said, message)
    if (!entry) return
    const half = said.kind === 'q' ? entry.record : entry.answer
    // A server that lags behind may repeat older messages.
    if (message.sequence === half.sequence) half.reading = this.#reading
    if (message.sequence <= half.sequence) return
    const facts = said.kind === 'q' ? readFacts(message.header(FACTS_HEADER), message.storedAt) : entry.facts
    const isSwept = message.header(SWEPT_HEADER) !== ''
    const added = { ...facts, bytes: message.bytes, isOpen: !facts.isSettled && !isSwept }
    let isKept = !isSwept && this.#limits.takesText(entry, message.bytes)
    if (isKept && said.kind === 'q' && !this.#limits.hasRoom(entry, added)) isKept = false
    if (
      !isKept &&
      entry.use.bytes === 0 &&
      !this.#limits.hasRoom(entry, { ...added, bytes: 0, isOpen: false })
    )
      return
    this.#change(entry, () => {
      half.sequence = message.sequence
      half.stored = isKept ? { text: message.text(), version: String(message.sequence) } : null
      half.reading = this.#reading
      if (said.kind === 'a') return
      entry.writtenAt = message.storedAt
      entry.facts = facts
      // A question is swept with its answer, which may still be in the stream.
      entry.isSwept = isSwept
      if (isSwept && entry.answer.sequence < message.sequence) entry.answer.stored = null
    })
  }

  /** The last trace of a swept question is gone from the stream. */
  forget(entry: Entry): void {
    if (entry.record.stored || entry.answer.stored) return
    this.#change(entry, () => {
      entry.record.sequence = 0
      entry.answer.sequence = 0
    })
  }

  /** The question, if there is anything of it. */
  find(namespace: string, toolCallId: string): Entry | undefined {
    return this.#namespaces.get(namespace)?.get(tokenOf(toolCallId))
  }

  question(namespace: string, toolCallId: string): StoredQuestion {
    const entry = this.find(namespace, toolCallId)
    return entry ? questionOf(entry) : { toolCallId, record: null, answer: null }
  }

  /** Everything of a namespace, in no order. */
  entries(namespace: string): Entry[] {
    return [...(this.#namespaces.get(namespace)?.values() ?? [])]
  }

  list(namespace: string, { unsettled = false, limit, after }: StoreListOptions): ListedQuestion[] {
    const from = after && { ...after, namespace }
    return this.entries(namespace)
      .filter((entry) => (unsettled ? isOpen(entry) : entry.record.stored !== null))
      .filter((entry) => !from || comparePlaces(placeOf(entry), from) > 0)
      .sort((a, b) => comparePlaces(placeOf(a), placeOf(b)))
      .slice(0, limit)
      .map(listedQuestionOf)
  }

  unsettled(limit: number | undefined, after: FleetPlace | undefined): FleetQuestion[] {
    const isAfter = (entry: Entry): boolean => !after || comparePlaces(placeOf(entry), after) > 0
    return this.#open.slice(isAfter, limit).map(fleetQuestionOf)
  }

  /** Questions whose last message came before this time: settled ones, and ones that are swept already. What was left out stays. */
  *olderThan(time: number): Iterable<Entry> {
    for (const entries of this.#namespaces.values())
      for (const entry of entries.values())
        if (entry.record.sequence > 0 && (entry.isSwept || isSettled(entry)) && entry.writtenAt < time)
          yield entry
  }

  /** Calls back for each change of a namespace. The returned function ends that. */
  listen(namespace: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(namespace) ?? new Set()
    this.#listeners.set(namespace, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#listeners.get(namespace) === listeners)
        this.#listeners.delete(namespace)
    }
  }

  get hasListeners(): boolean {
    return this.#listeners.size > 0
  }

  #entryOf(
    { namespace, pass, token }: { namespace: string; pass: string; token: string; kind: TextKind },
    message: StreamMessage,
  ): Entry | null {
    const entry = this.#namespaces.get(namespace)?.get(token)
    if (pass !== this.#passOf(namespace)) return null
    if (entry) return entry
    const id = idOf(token, message.header(ID_HEADER))
    return id === null ? null : newEntry(namespace, id)
  }

  #change(entry: Entry, change: () => void): void {
    const { namespace, toolCallId } = entry
    if (isOpen(entry)) this.#open.delete(entry)
    change()
    if (isOpen(entry)) this.#open.add(entry)
    const entries = this.#namespaces.get(namespace) ?? new Map<string, Entry>()
    const isKept = entry.record.sequence > 0 || entry.answer.sequence > 0
    this.#limits.count(entry, isKept)
    if (isKept) {
      this.#namespaces.set(namespace, entries.set(tokenOf(toolCallId), entry))
    } else {
      entries.delete(tokenOf(toolCallId))
      if (entries.size === 0) this.#namespaces.delete(namespace)
    }
    for (const listener of this.#listeners.get(namespace) ?? []) listener(entry)
  }
}
