import { type AskError, type Clock, deferred, sleep, untilDone } from '@sandagent/core/internal'
import type { StoredCall } from './call-records.ts'

/**
 * What an event makes of a call: the same call if nothing changes. A refused event may change it, too. Pure: it has no
 * effect, and no other state than the call. Times are ISO 8601. `limit`: the end of a wait that begins now.
 */
export type Move<Call> = (call: Call, now: string, limit: string) => { call: Call; refusal?: AskError }

/** What a role of the protocol does with one call. See docs/decisions/0041-a-call-of-user-choice-is-a-stored-step.md */
export interface Role<Call> {
  /** The process before stopped at this step. */
  resumed: Move<Call>
  /** The step took too long. */
  overdue: Move<Call>
  /** Does the work of the call's step, and resolves to what happened. `null` if nothing did. */
  work(call: Call, signal: AbortSignal): Promise<Move<Call> | null>
  /** Called for the call as it was found, and after each change is stored. */
  onStep(call: Call, before?: Call): void
  onRefused(refusal: AskError): void
  onClose?(): void
}

interface Parts<Call> {
  save(call: Call): Promise<void>
  /** Runs the changes of this call one after the other. */
  inTurn<T>(task: () => Promise<T>): Promise<T>
  clock: Clock
  /** How long a wait is, in milliseconds. */
  waitMs: number
  onFailure(error: unknown): void
}

/** Stores each step, and then does its work. After a failure it goes on from the stored step, as the next process would. */
export class Interpreter<Call extends StoredCall, R extends Role<Call>> {
  /** As it is stored. */
  call: Call
  readonly role: R
  readonly #parts: Parts<Call>
  #isNew: boolean
  /** Whether work may begin. In the pause after a failure it may not. */
  #isLive = false
  #life = deferred<void>()
  /** The work of the step and the wait for its end, by `at` and `until`. */
  readonly #tasks = new Map<string, { stop: AbortController; done: Promise<void> }>()
  readonly #closing = new AbortController()

  /** @param isNew whether this process has just stored the call. All others are resumed. */
  constructor(call: Call, isNew: boolean, role: R, parts: Parts<Call>) {
    this.call = call
    this.role = role
    this.#isNew = isNew
    this.#parts = parts
    role.onStep(call)
  }

  /**
   * Stores what the event makes of the call, and then begins what follows.
   *
   * @throws the refusal of the event
   */
  async send(move: Move<Call>): Promise<void> {
    const refusal = await this.#parts.inTurn(() => this.#move(move))
    if (refusal) throw refusal
  }

  /** Moves the call. Resolves when it has ended, or when the interpreter closes. */
  run(): Promise<void> {
    const { clock, onFailure } = this.#parts
    return untilDone(() => this.#live(), { clock, signal: this.#closing.signal, onFailure })
  }

  /** Stops the work. What it came to, and what others have sent, is still stored. */
  async close(): Promise<void> {
    this.#closing.abort()
    this.#life.resolve()
    this.#stopAll()
    await Promise.all([...this.#tasks.values()].map(({ done }) => done))
    await this.#parts.inTurn(async () => {})
    this.role.onClose?.()
  }

  /** Runs to the end of the call, or to the first failure. */
  async #live(): Promise<void> {
    this.#life = deferred()
    if (this.#closing.signal.aborted) return
    const start = async (): Promise<void> => {
      this.#isLive = true
      if (this.#isNew) this.#act()
      else await this.#move(this.role.resumed)
    }
    await this.#parts.inTurn(start).catch((error) => this.#fail(error))
    await this.#life.promise
  }

  async #move(move: Move<Call>): Promise<AskError | undefined> {
    const { clock, waitMs, save } = this.#parts
    const before = this.call
    const now = clock.now()
    const { call, refusal } = move(before, isoOf(now), isoOf(now + waitMs))
    if (call !== before) {
      await save(call)
      this.call = call
      this.role.onStep(call, before)
    }
    this.#act()
    if (refusal) this.role.onRefused(refusal)
    return refusal
  }

  /** Lets the work of the step go on and its time run, and nothing else. */
  #act(): void {
    const { call, role } = this
    const { at, until = 'never', endedAt } = call.step
    for (const [name, { stop }] of this.#tasks)
      if (name !== at && name !== until) {
        this.#tasks.delete(name)
        stop.abort()
      }
    if (endedAt !== undefined) this.#life.resolve()
    else if (this.#isLive && !this.#closing.signal.aborted) {
      this.#begin(at, (signal) => role.work(call, signal))
      if (until !== 'never') this.#begin(until, (signal) => this.#overdueAt(until, signal))
    }
  }

  #begin(name: string, task: (signal: AbortSignal) => Promise<Move<Call> | null>): void {
    if (this.#tasks.has(name)) return
    const stop = new AbortController()
    const isDue = (): boolean => this.#tasks.get(name)?.stop === stop
    const run = async (): Promise<void> => {
      try {
        const move = await task(stop.signal)
        if (move) await this.#parts.inTurn(async () => void (isDue() && (await this.#move(move))))
      } catch (error) {
        if (this.#closing.signal.aborted) this.#parts.onFailure(error)
        else if (isDue()) this.#fail(error)
      }
    }
    // The work itself may close the call. Then it finds itself here.
    this.#tasks.set(name, { stop, done: Promise.resolve().then(run) })
  }

  async #overdueAt(time: string, signal: AbortSignal): Promise<Move<Call> | null> {
    const { clock } = this.#parts
    await sleep(clock, Math.max(0, Date.parse(time) - clock.now()), signal)
    return signal.aborted ? null : this.role.overdue
  }

  /** Forgets all but what is stored. */
  #fail(error: unknown): void {
    this.#isLive = this.#isNew = false
    this.#stopAll()
    this.#tasks.clear()
    this.#life.reject(error)
  }

  #stopAll(): void {
    for (const { stop } of this.#tasks.values()) stop.abort()
  }
}

const isoOf = (time: number): string => new Date(time).toISOString()
