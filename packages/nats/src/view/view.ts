import type { OnWarning } from '@sandagent/core'
import type { StoredQuestion } from '@sandagent/core/store'
import type { FleetQuestion } from '@sandagent/fleet'
import { type FleetListOptions, pageOf } from '@sandagent/fleet/internal'
import type { BucketNames } from '../lib/subjects.ts'
import { Contents, type StreamMessage } from './contents.ts'
import { MemoryLimits } from './memory-limits.ts'
import { type Entry, isOpen, isSettled, isSwept, newEntry, questionOf } from './stored-question.ts'

type Listener = (entry: Entry) => void

const isSame = (one: Entry | undefined, other: Entry): boolean =>
  one?.record.stored?.version === other.record.stored?.version &&
  one?.answer.stored?.version === other.answer.stored?.version

/** What a stream says so far of the questions. */
export class View {
  readonly #make: () => Contents
  readonly #listeners = new Map<string, Set<Listener>>()
  #contents: Contents
  /** What is read again, until all of it is read. */
  #next: Contents | undefined

  /** @param passOf the pass of a namespace; messages with another one are ignored */
  constructor(names: BucketNames, passOf: (namespace: string) => string, onWarning?: OnWarning) {
    const warned = new Set<string>()
    const warn = (namespace: string, what: string): void => {
      if (warned.has(namespace)) return
      warned.add(namespace)
      const message = `The namespace ${namespace} ${what}. What is beyond that is left out`
      onWarning?.({ code: 'TOO_LARGE', message })
    }
    this.#make = () => {
      const made: Contents = new Contents({
        names,
        passOf,
        limits: new MemoryLimits(warn),
        onChange: (entry) => {
          if (made === this.#contents) this.#tell(entry)
        },
      })
      return made
    }
    this.#contents = this.#make()
  }

  /** From here on, the whole stream is read again. Until its end, the view shows what it had. */
  beginReading(): void {
    this.#next = this.#make()
  }

  /** The whole stream was read. What was not in it is gone. */
  endReading(): void {
    const before = this.#contents
    const now = this.#next ?? before
    this.#contents = now
    this.#next = undefined
    for (const { namespace, toolCallId } of before.entries())
      if (!now.find(namespace, toolCallId)) this.#tell(newEntry(namespace, toolCallId))
    for (const entry of now.entries())
      if (!isSame(before.find(entry.namespace, entry.toolCallId), entry)) this.#tell(entry)
  }

  /**
   * Takes the next message.
   *
   * @returns whether it counts: its writer knew the version that was there
   */
  take(message: StreamMessage): boolean {
    return (this.#next ?? this.#contents).take(message)
  }

  forget(entry: Entry): void {
    if (this.find(entry.namespace, entry.toolCallId) === entry) this.#contents.forget(entry)
  }

  find(namespace: string, toolCallId: string): Entry | undefined {
    return this.#contents.find(namespace, toolCallId)
  }

  question(namespace: string, toolCallId: string): StoredQuestion {
    return questionOf(this.find(namespace, toolCallId) ?? newEntry(namespace, toolCallId))
  }

  entries(namespace?: string): Entry[] {
    return this.#contents.entries(namespace)
  }

  /** The questions of all namespaces, or of one, that have a record. */
  list({ namespace, unsettled = false, ...page }: FleetListOptions): FleetQuestion[] {
    const listed = this.entries(namespace)
      .filter((entry) => (unsettled ? isOpen(entry) : entry.record.stored !== null))
      .map((entry) => ({
        namespace: entry.namespace,
        askedAt: entry.facts.askedAt,
        ...questionOf(entry),
      }))
    return pageOf(listed, page)
  }

  /**
   * Questions whose last message came before this time: settled ones, and ones that are swept already. What was left out stays.
   */
  olderThan(time: number): Entry[] {
    return this.entries().filter((entry) => (isSwept(entry) || isSettled(entry)) && entry.writtenAt < time)
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

  #tell(entry: Entry): void {
    for (const listener of this.#listeners.get(entry.namespace) ?? []) listener(entry)
  }
}
