// Why it is so: docs/decisions/0073-a-lock-puts-writers-in-line.md

import {
  backOffMs,
  type Clock,
  createWakeSignal,
  DEFAULT_POSTGRES_POLL_MS,
  type OnWarning,
  sleep,
} from '@sandagent/core/internal'
import { PAGE_BYTES } from '../database/cut-short.ts'
import type { Database } from '../database/database.ts'
import { unreachable, warningOfDatabase } from '../database/unreachable.ts'
import { type Change, changeOf, channelOf, type Hint, hintText } from '../lib/hint.ts'
import { ListenConnection, RECONNECT } from './listen-connection.ts'
import { type Cursor, lookStatement, readLook } from './look.ts'
import { readChanged, readNamespace } from './read-changed.ts'
import { type Subscription, Subscriptions } from './subscriptions.ts'

/** How many questions one statement reads, and how many bytes of texts at least. */
const READ_AT_ONCE = 500
const LEAST_BYTES = 65_536

/** How often a process that is not notified looks for changes. */
const POLL_ALONE_MS = 250

/** Reasons of a statement that took too long. The second is a limit of the server. */
const SLOW: ReadonlySet<string> = new Set(['TIMEOUT', '57014'])

export interface ChangeLoopOptions {
  /** `false` where connections have no state, such as behind a pooler in transaction mode. */
  listen: boolean
  /** How often it looks for changes at least. */
  pollMs: number | undefined
  onWarning: OnWarning
  clock: Clock
}

/**
 * Finds what changes in the database until nobody subscribes any more. It does one read after the other, so no older version
 * comes after a newer one.
 */
export class ChangeLoop {
  readonly #database: Database
  readonly #options: ChangeLoopOptions
  readonly #subscriptions = new Subscriptions()
  /** The subscriptions that do not hold yet, with the last key that was read; `null`: there is nothing to read for it. */
  readonly #beginnings = new Map<Subscription, string | null>()
  /** The questions that have to be read, by hint. */
  readonly #noted = new Map<string, Hint>()
  /** The versions that were read since the last look. The next look finds them again. */
  readonly #read = new Set<string>()
  #bytes = PAGE_BYTES
  readonly #stop = new AbortController()
  readonly #wake = createWakeSignal(this.#stop.signal)
  readonly #listening: ListenConnection | null
  #cursor: Cursor | null = null
  #isLookDue = true
  #isListenDue = true
  #cancelTimer = (): void => {}

  constructor(database: Database, options: ChangeLoopOptions) {
    this.#database = database
    this.#options = options
    this.#listening = options.listen ? this.#startListening() : null
    void this.#run()
  }

  get hasEnded(): boolean {
    return this.#stop.signal.aborted
  }

  add(subscription: Subscription): void {
    this.#subscriptions.add(subscription)
    this.#begin(subscription, !subscription.onlyAnswers)
    this.#isListenDue = true
    this.#wake.ring()
  }

  remove(subscription: Subscription): void {
    this.#subscriptions.remove(subscription)
    this.#beginnings.delete(subscription)
    this.#isListenDue = true
    if (this.#subscriptions.isEmpty) this.#stop.abort()
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    await this.#listening?.tried
    for (let failures = 0; !signal.aborted; ) {
      try {
        if (this.#isListenDue) await this.#listen()
        if (this.#isLookDue) await this.#look()
        await this.#readNoted()
        await this.#readBeginning()
        failures = 0
        if (this.#noted.size + this.#beginnings.size === 0 && !this.#isLookDue) await this.#wake.sleep()
      } catch (error) {
        failures += 1
        if (failures === 1 && !signal.aborted) this.#options.onWarning(warningOfDatabase(error))
        this.#isLookDue = true
        await sleep(this.#options.clock, backOffMs(failures, ...RECONNECT), signal)
      }
    }
    this.#cancelTimer()
  }

  readonly #lookNext = (): void => {
    this.#isLookDue = true
    this.#wake.ring()
  }

  #startListening(): ListenConnection {
    const { clock, onWarning } = this.#options
    let hasWarned = false
    const options = {
      connection: this.#database.pool.options,
      clock,
      onUp: () => {
        hasWarned = false
        this.#isListenDue = true
        this.#lookNext()
      },
      onNotification: (text: string) => {
        this.#note(changeOf(text))
        this.#wake.ring()
      },
      onDown(error: unknown) {
        if (hasWarned) return
        hasWarned = true
        onWarning(warningOfDatabase(error, 'The database does not notify. '))
      },
    }
    return new ListenConnection(options, this.#stop.signal)
  }

  /** Before a subscription holds, its changes are told. */
  async #listen(): Promise<void> {
    this.#isListenDue = false
    const channels = [...this.#subscriptions.namespaces].map((namespace) =>
      channelOf(this.#database.schema, namespace),
    )
    await this.#listening?.listenTo(new Set(channels))
  }

  async #look(): Promise<void> {
    const { clock, pollMs = DEFAULT_POSTGRES_POLL_MS } = this.#options
    this.#cancelTimer()
    this.#isLookDue = false
    await this.#database.ready()
    const { cursor, changes } = readLook(await this.#runLook())
    if (this.#cursor && this.#cursor.server !== cursor.server) this.#beginAgain()
    for (const change of changes) this.#note(change)
    this.#read.clear()
    this.#cursor = cursor
    if (!this.hasEnded)
      this.#cancelTimer = clock.after(
        this.#listening?.isUp ? pollMs : Math.min(pollMs, POLL_ALONE_MS),
        this.#lookNext,
      )
  }

  async #runLook(): Promise<unknown[]> {
    const text = lookStatement(this.#database.schema)
    const values = [this.#cursor?.snapshot ?? null]
    try {
      return (await this.#listening?.query(text, values)) ?? (await this.#database.query(text, values))
    } catch (error) {
      // A server that lost its connections may have crashed.
      const reason = String(unreachable(error).facts?.reason)
      if (this.#cursor && !SLOW.has(reason)) this.#beginAgain()
      throw error
    }
  }

  /** Another start of the server may give the same numbers to other transactions. */
  #beginAgain(): void {
    this.#cursor = null
    for (const subscription of this.#subscriptions) this.#begin(subscription, true)
  }

  #note({ kind, version, namespace, key }: Change): void {
    const hint = { namespace, key }
    const isWanted = ({ onlyAnswers }: Subscription): boolean => kind === 'a' || !onlyAnswers
    if (!this.#read.has(version) && this.#subscriptions.of(hint).some(isWanted))
      this.#noted.set(hintText(hint), hint)
  }

  async #readNoted(): Promise<void> {
    const some = [...this.#noted].slice(0, READ_AT_ONCE)
    if (some.length === 0) return
    // A question that changes while it is read is noted once more.
    for (const [text] of some) this.#noted.delete(text)
    let done = 0
    try {
      const hints = some.map(([, hint]) => hint)
      const { found, count } = await this.#inParts((bytes) => readChanged(this.#database, hints, bytes))
      done = count
      for (const { stored, ...hint } of found) {
        for (const text of [stored.record, stored.answer]) if (text) this.#read.add(text.version)
        for (const subscription of this.#subscriptions.of(hint)) subscription.take(hint.key, stored)
      }
      for (const hint of hints.slice(0, count))
        for (const subscription of this.#subscriptions.of(hint))
          if (subscription.key !== null) this.#hold(subscription)
    } finally {
      // They come after the others: their texts may be too many for one statement.
      for (const [text, hint] of some.slice(done)) this.#noted.set(text, hint)
    }
  }

  #begin(subscription: Subscription, withAll: boolean): void {
    const { namespace, key } = subscription
    this.#beginnings.set(subscription, withAll ? '' : null)
    if (key !== null && withAll) this.#noted.set(hintText({ namespace, key }), { namespace, key })
  }

  #hold(subscription: Subscription): void {
    if (this.#beginnings.delete(subscription)) subscription.hold()
  }

  /** Reads a part of a namespace that somebody begins to follow. In between, the changes of others can be read. */
  async #readBeginning(): Promise<void> {
    for (const [subscription, after] of this.#beginnings) if (after === null) this.#hold(subscription)
    const [subscription, after] = [...this.#beginnings].find(([{ key }]) => key === null) ?? []
    if (!subscription) return
    const hint = { namespace: subscription.namespace, key: after ?? '' }
    // After a failure, others come first.
    this.#beginnings.delete(subscription)
    this.#beginnings.set(subscription, hint.key)
    const { found, last } = await this.#inParts((bytes) =>
      readNamespace(this.#database, hint, { limit: READ_AT_ONCE, bytes }),
    )
    for (const { key, stored } of found) subscription.take(key, stored)
    if (last === null) this.#hold(subscription)
    else if (this.#beginnings.has(subscription)) this.#beginnings.set(subscription, last)
  }

  /** Reads so many bytes of texts by one statement. After a failure it is half: the connection may be slow. */
  async #inParts<T>(read: (bytes: number) => Promise<T>): Promise<T> {
    try {
      const result = await read(this.#bytes)
      this.#bytes = Math.min(PAGE_BYTES, this.#bytes * 2)
      return result
    } catch (error) {
      this.#bytes = Math.max(LEAST_BYTES, this.#bytes / 2)
      throw error
    }
  }
}
