import { AskError, type ChannelWarning, type Clock, createMutex } from '@sandagent/core/internal'
import type * as v from 'valibot'
import { callName, sameToken, tokenOf } from '../lib/call-token.ts'
import { messageOf } from '../lib/http.ts'
import type { UserChoiceStorage } from '../lib/storage.ts'
import { type CallRecords, createCallRecords, type StoredCall } from './call-records.ts'
import { Interpreter, type Role } from './interpreter.ts'

interface CallsOptions<Call, R> {
  storage: UserChoiceStorage
  folder: string
  schema: v.GenericSchema<unknown, Call>
  roleOf: (call: Call) => R
  /** How long a wait of a step is, in milliseconds. */
  waitMs: number
  maxCalls: number
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
}

/** The calls of one end of the protocol. Those that have not ended are at work. */
export class Calls<Call extends StoredCall, R extends Role<Call>> {
  readonly #options: CallsOptions<Call, R>
  readonly #records: CallRecords<Call>
  readonly #inTurn = createMutex()
  readonly #working = new Map<string, Interpreter<Call, R>>()
  #isClosed = false

  constructor(options: CallsOptions<Call, R>) {
    const { storage, folder, schema, onWarning } = options
    this.#options = options
    this.#records = createCallRecords(storage, folder, schema, onWarning)
  }

  /** Goes on with the calls of the storage. */
  async resume(): Promise<void> {
    const calls = await this.#records.open(this.#options.clock.now())
    for (const call of calls) this.#begin(call, false)
  }

  /**
   * Stores a call and begins its work, or finds the same one.
   *
   * @param check throws if the call may not be stored or begun any more
   * @throws AskError `CONFLICT` for another call under its id, `RATE_LIMITED` when too many calls are pending
   */
  take(
    call: Call,
    isSame: (known: Call) => boolean,
    check: () => void = () => {},
  ): Promise<Interpreter<Call, R>> {
    const { maxCalls, clock } = this.#options
    const name = nameOf(call)
    return this.#inTurn(name, async () => {
      const found = await this.#find(name)
      if (found && isSame(found.call)) return found
      const facts = { toolCallId: call.invocation.id }
      if (found) throw new AskError('CONFLICT', 'This id is taken by another call', { facts })
      if (this.#working.size >= maxCalls) throw new AskError('RATE_LIMITED', `${maxCalls} calls are pending`)
      await this.#records.sweep(clock.now())
      check()
      await this.#records.write(name, call)
      check()
      return this.#begin(call, true)
    })
  }

  /** The call whose token a request has. */
  async ofToken(request: Request): Promise<Interpreter<Call, R> | null> {
    const shown = tokenOf(request)
    const found = shown && (await this.#find(shown.name))
    return found && sameToken(found.call.token, shown.token) ? found : null
  }

  /** A call that has not ended. Waits while it is being taken. */
  pending(groupId: string, id: string): Promise<Interpreter<Call, R> | undefined> {
    const name = callName(groupId, id)
    return this.#inTurn(name, async () => this.#working.get(name))
  }

  /** Stops. The next process goes on with the calls. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#working.values()].map((call) => call.close()))
  }

  async #find(name: string): Promise<Interpreter<Call, R> | null> {
    const call = this.#working.has(name) ? null : await this.#records.read(name)
    return this.#working.get(name) ?? (call && this.#interpreterOf(call, false))
  }

  #interpreterOf(call: Call, isNew: boolean): Interpreter<Call, R> {
    const { roleOf, clock, waitMs, onWarning } = this.#options
    const name = nameOf(call)
    const toolCallId = call.invocation.id
    return new Interpreter(call, isNew, roleOf(call), {
      save: (next) => this.#records.write(name, next),
      inTurn: (task) => this.#inTurn(name, task),
      clock,
      waitMs,
      onFailure: (error) => onWarning({ code: 'INTERNAL', message: messageOf(error), toolCallId }),
    })
  }

  #begin(call: Call, isNew: boolean): Interpreter<Call, R> {
    const begun = this.#interpreterOf(call, isNew)
    if (this.#isClosed) return begun
    const name = nameOf(call)
    this.#working.set(name, begun)
    void begun.run().then(() => this.#working.delete(name))
    return begun
  }
}

const nameOf = ({ invocation: { group_id, id } }: StoredCall): string => callName(group_id, id)
