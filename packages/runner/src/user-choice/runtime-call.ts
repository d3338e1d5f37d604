import { isDeepStrictEqual } from 'node:util'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  type Outcome,
  type RunnerChannel,
  type TimeoutMs,
} from '@sandagent/core'
import {
  formatResult,
  type ToolResultMessage,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import { askChoice } from './ask-choice.ts'
import { untilDone } from './back-off.ts'
import { deferred } from './deferred.ts'
import { type Delivery, deliver } from './deliver.ts'
import type { PendingChoice, RuntimeRecord, ToolResult } from './runtime-record.ts'

/** What the calls of a runtime share. */
export interface RuntimeParts {
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  fetch: typeof fetch
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  /** Whether a selection may be posted there for this tool. */
  mayReceive: (responseUrl: string, endpoint: string) => boolean
  save: (record: RuntimeRecord) => Promise<void>
  /** Runs what changes this call after what changed it before. */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
  /** Aborts when the runtime closes. */
  closing: AbortSignal
}

/** A call at work. */
export interface RuntimeCallWork {
  readonly record: RuntimeRecord
  result: Promise<ToolResult>
  /** Goes on from what is stored. */
  resume(): void
  takeChoice(message: UserChoiceMessage): Promise<void>
  takeResult(message: ToolResultMessage): Promise<void>
  /** Nobody wants the result any more: the user is not asked, or no longer, and the tool gets its default. */
  dismiss(): void
  /** Resolves when nothing is done any more; a result that did not come is `GONE`. */
  closed(): Promise<void>
}

/** How long a tool may be away before its call fails, in milliseconds. */
const DISPATCH_MS = 60_000

export function createRuntimeCall(stored: RuntimeRecord, parts: RuntimeParts): RuntimeCallWork {
  const { fetch, clock, onWarning, mayReceive, inTurn, closing } = parts
  const { endpoint, invocation } = stored
  let record = stored
  const result = deferred<ToolResult>()
  const work = new Set<Promise<void>>()
  /** Aborts when the tool is known to have the invocation. */
  const arrived = new AbortController()
  const ended = new AbortController()
  const dismissed = new AbortController()
  if (record.dismissed) dismissed.abort()
  if (record.result) result.resolve(record.result)

  const warn = (code: string, message: string): void =>
    onWarning({ code, message, toolCallId: invocation.id })

  const onFailure = (error: unknown): void =>
    warn('INTERNAL', error instanceof Error ? error.message : String(error))

  /** Does a part of the work beside what goes on. A failure leaves the call as it is stored. */
  const inBackground = (task: Promise<void>): void => {
    const done = task.catch(onFailure).finally(() => work.delete(done))
    work.add(done)
  }

  const save = async (next: RuntimeRecord): Promise<void> => {
    await parts.save(next)
    record = next
  }

  const send = (url: string, body: unknown, stop: AbortSignal, giveUpMs: number): Promise<Delivery> =>
    deliver(url, body, { fetch, clock, giveUpMs, signal: AbortSignal.any([stop, closing]) })

  const end = async (outcome: ToolResult): Promise<void> => {
    await save({
      ...withoutChoice(record),
      acknowledged: true,
      result: outcome,
      endedAt: new Date(clock.now()).toISOString(),
    })
    arrived.abort()
    ended.abort()
    result.resolve(outcome)
  }

  /** Sends the invocation until the tool says that it has it, or shows it by a message of its own. Then never again. */
  const dispatch = async (): Promise<void> => {
    const sent = await send(endpoint, invocation, arrived.signal, DISPATCH_MS)
    await inTurn(async () => {
      if (sent.kind === 'stopped' || record.acknowledged) return
      if (sent.kind === 'delivered') await save({ ...record, acknowledged: true })
      if (sent.kind === 'refused')
        await end({ text: `Error: The tool refused this call (HTTP ${sent.status}).` })
      if (sent.kind === 'unreachable') await end({ text: 'Error: The tool could not be reached.' })
    })
  }

  /** Asks the user; `onOpen` hears when the question is there to be answered. */
  const ask = (choice: PendingChoice, onOpen?: () => void): Promise<Outcome> =>
    askChoice(choice, {
      ...parts,
      invocation,
      onOpen,
      ended: ended.signal,
      dismissed: dismissed.signal,
    })

  const select = (choice: PendingChoice, outcome: Outcome): Promise<void> =>
    inTurn(async () => {
      if (record.result || (outcome.kind === 'aborted' && closing.aborted)) return
      const { selected } = formatResult(outcome, invocation)
      await save({ ...record, choice: { ...choice, state: 'selected', selected } })
    })

  /** Posts the selection until the tool has it; while it cannot be told, the call is pending. */
  const tell = async (): Promise<void> => {
    const { message, receivedAt, selected } = record.choice as PendingChoice
    const body = { id: invocation.id, selected }
    const told = await send(message.response_url, body, ended.signal, Number.POSITIVE_INFINITY)
    if (told.kind === 'stopped') return
    if (told.kind === 'refused')
      warn('REFUSED', `The tool refused the user's selection (HTTP ${told.status})`)
    await inTurn(async () => {
      if (!record.result) await save({ ...record, choice: { message, receivedAt, state: 'told' } })
    })
  }

  /** Takes a choice on from where it stands. What fails on the way is tried again: nobody else comes back to it. */
  const proceed = (choice: PendingChoice, asking?: Promise<Outcome>): void => {
    let outcome = asking
    const step = async (): Promise<void> => {
      const asked = outcome
      outcome = undefined
      if (record.choice?.state === 'asked') await select(choice, await (asked ?? ask(choice)))
      if (record.choice?.state === 'selected') await tell()
    }
    const signal = AbortSignal.any([ended.signal, closing])
    inBackground(untilDone(step, { clock, signal, onFailure }))
  }

  /** Resolves once the user can choose. */
  const begin = async (choice: PendingChoice): Promise<void> => {
    const opened = deferred<void>()
    const outcome = ask(choice, opened.resolve)
    outcome.catch(opened.reject)
    await opened.promise
    proceed(choice, outcome)
  }

  return {
    get record() {
      return record
    },
    result: result.promise,

    resume() {
      if (record.result) return
      if (!record.acknowledged) inBackground(dispatch())
      if (record.choice) proceed(record.choice)
    },

    takeChoice: (message) =>
      inTurn(async () => {
        if (record.result) throw new AskError('GONE', 'This call has ended')
        if (record.choice && isDeepStrictEqual(record.choice.message, message)) return
        if (record.choice) throw new AskError('CONFLICT', 'This call has asked for another choice')
        if (!mayReceive(message.response_url, endpoint))
          throw new AskError('FORBIDDEN', 'The response URL is not at the tool that was called')
        const receivedAt = new Date(clock.now()).toISOString()
        const choice: PendingChoice = record.dismissed
          ? { message, receivedAt, state: 'selected', selected: message.default }
          : { message, receivedAt, state: 'asked' }
        arrived.abort()
        await save({ ...record, acknowledged: true, choice })
        if (record.dismissed) return proceed(choice)
        try {
          await begin(choice)
        } catch (error) {
          await save(withoutChoice(record))
          throw error
        }
      }),

    takeResult: ({ text, content, display_as }) =>
      inTurn(async () => {
        const taken: ToolResult = {
          ...(text !== undefined && { text }),
          ...(content !== undefined && { content }),
          ...(display_as !== undefined && { displayAs: display_as }),
        }
        if (!record.result) await end(taken)
        else if (!isDeepStrictEqual(record.result, taken))
          throw new AskError('CONFLICT', 'This call has ended with another result')
      }),

    dismiss() {
      const dismissal = inTurn(async () => {
        if (record.result) return
        if (!record.acknowledged) return end({ text: 'Error: This call was withdrawn.' })
        await save({ ...record, dismissed: true })
        dismissed.abort()
      })
      inBackground(dismissal)
    },

    async closed() {
      while (work.size > 0) await Promise.all(work)
      result.reject(new AskError('GONE', 'The runtime was closed; the call is pending'))
    },
  }
}

const withoutChoice = ({ choice: _, ...record }: RuntimeRecord): RuntimeRecord => record
