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
  /** Whether this process began the step, and nothing failed since. Otherwise the step is resumed first. */
  #isOurs: boolean
  #isClosed = false
  readonly #over = deferred<void>()
  /** The work of the step and the wait for its end, by `at` and `until`. */
  readonly #tasks = new Map<string, { stop: AbortController; done: Promise<void> }>()

  /** @param isNew whether this process has just stored the call */
  constructor(call: Call, isNew: boolean, role: R, parts: Parts<Call>) {
    this.call = call
    this.role = role
    this.#isOurs = isNew
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
    this.#act()
    return this.#over.promise
  }

  /** Stops the work. What it came to, and what others have sent, is still stored. */
  async close(): Promise<void> {
    this.#isClosed = true
    for (const { stop } of this.#tasks.values()) stop.abort()
    await Promise.all([...this.#tasks.values()].map(({ done }) => done))
    await this.#parts.inTurn(async () => {})
    this.role.onClose?.()
    this.#over.resolve()
  }

  async #move(move: Move<Call>): Promise<AskError | undefined> {
    const { clock, waitMs, save } = this.#parts
    const before = this.call
    const now = isoOf(clock.now())
    const limit = isoOf(clock.now() + waitMs)
    const found = this.#isOurs ? before : this.role.resumed(before, now, limit).call
    const { call, refusal } = move(found, now, limit)
    if (call !== before) {
      await save(call)
      this.call = call
      this.role.onStep(call, before)
    }
    this.#isOurs = true
    this.#act()
    if (refusal) this.role.onRefused(refusal)
    return refusal
  }

  /** Lets the work of the step go on and its time run, and nothing else. */
  #act(): void {
    const { at, until = 'never', endedAt } = this.call.step
    for (const [name, { stop }] of this.#tasks)
      if (name !== at && name !== until) {
        this.#tasks.delete(name)
        stop.abort()
      }
    if (endedAt !== undefined) this.#over.resolve()
    else if (!this.#isClosed) {
      this.#begin(at, (signal) => this.role.work(this.call, signal))
      if (until !== 'never') this.#begin(until, (signal) => this.#overdueAt(until, signal))
    }
  }

  #begin(name: string, task: (signal: AbortSignal) => Promise<Move<Call> | null>): void {
    if (this.#tasks.has(name)) return
    const stop = new AbortController()
    const { signal } = stop
    const { clock, inTurn, onFailure } = this.#parts
    const isDue = (): boolean => this.#tasks.get(name)?.stop === stop
    const moveIfDue = (move: Move<Call>): Promise<void> =>
      inTurn(async () => void (isDue() && (await this.#move(move))))
    const attempt = async (): Promise<void> => {
      if (!this.#isOurs) await moveIfDue((call) => ({ call }))
      const move = signal.aborted ? null : await task(signal)
      if (move) await moveIfDue(move)
    }
    const failed = (error: unknown): void => {
      if (!isDue()) return
      this.#isOurs = false
      onFailure(error)
    }
    // The work itself may close the call. Then it finds itself here.
    const done = Promise.resolve().then(() => untilDone(attempt, { clock, signal, onFailure: failed }))
    this.#tasks.set(name, { stop, done })
  }

  async #overdueAt(time: string, signal: AbortSignal): Promise<Move<Call> | null> {
    const { clock } = this.#parts
    await sleep(clock, Math.max(0, Date.parse(time) - clock.now()), signal)
    return signal.aborted ? null : this.role.overdue
  }
}

const isoOf = (time: number): string => new Date(time).toISOString()
