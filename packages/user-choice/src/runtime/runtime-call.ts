import { isDeepStrictEqual } from 'node:util'
import {
  parseCallback,
  type ToolResultMessage,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  deferred,
  httpStatusOf,
  type RunnerChannel,
  sleep,
  type TimeoutMs,
  untilDone,
  type WarningCode,
} from '@sandagent/core/internal'
import { type DeliveryOptions, deliver } from '../lib/deliver.ts'
import { FLOW_FAILED, UNCERTAIN, undispatched } from '../lib/result-text.ts'
import { createWaiters } from '../lib/waiters.ts'
import { createChoiceFlow } from './choice-flow.ts'
import {
  isAbout,
  type PendingChoice,
  type RuntimeRecord,
  type UserChoiceResult,
  withoutChoice,
} from './runtime-record.ts'

export interface RuntimeParts {
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  refusedMs: number
  fetch: typeof fetch
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  /** Whether the tool's selection may be posted to this URL. */
  mayReceive: (responseUrl: string, endpoint: string) => Promise<boolean>
  save: (record: RuntimeRecord) => Promise<void>
  /** Runs the changes of this call one after the other. */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
}

export interface RuntimeCallWork {
  readonly record: RuntimeRecord
  result: Promise<UserChoiceResult>
  /** Resolves to the result. If the signal aborts first, the call is dismissed. */
  resultUnless(signal: AbortSignal): Promise<UserChoiceResult>
  dispatch(): void
  /** Goes on from the stored record. */
  resume(): void
  /** Takes a message that was posted to the call's URL. */
  take(body: unknown): Promise<void>
  /** Resolves when all work has stopped. A missing result is rejected with `GONE`. */
  close(): Promise<void>
}

/** How long to try to connect to a tool, in milliseconds. */
const DISPATCH_MS = 60_000

export function createRuntimeCall(stored: RuntimeRecord, parts: RuntimeParts): RuntimeCallWork {
  const { clock, onWarning, mayReceive, inTurn } = parts
  const { endpoint, invocation } = stored
  let record = stored
  const result = deferred<UserChoiceResult>()
  const work = new Set<Promise<void>>()
  /** Aborts when a message shows that the tool has the invocation. */
  const arrived = new AbortController()
  const ended = new AbortController()
  const dismissed = new AbortController()
  const closing = new AbortController()
  /** Aborts when a valid message follows an invalid one. */
  let recovered = new AbortController()
  if (record.dismissed) dismissed.abort()
  if (record.result) result.resolve(record.result)

  const warn = (code: WarningCode, message: string): void =>
    onWarning({ code, message, toolCallId: invocation.id })

  const onFailure = (error: unknown): void =>
    warn('INTERNAL', error instanceof Error ? error.message : String(error))

  /** A failure leaves the call as it is stored. */
  const inBackground = (task: Promise<void>): void => {
    const done = task.catch(onFailure).finally(() => work.delete(done))
    work.add(done)
  }

  const save = async (next: RuntimeRecord): Promise<void> => {
    await parts.save(next)
    record = next
  }

  const send = (url: string, body: unknown, stop: AbortSignal, options: Partial<DeliveryOptions>) =>
    deliver(url, body, {
      ...parts,
      giveUpMs: Number.POSITIVE_INFINITY,
      signal: AbortSignal.any([stop, closing.signal]),
      ...options,
    })

  const end = async (outcome: UserChoiceResult): Promise<void> => {
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

  /** Sends the invocation once. Its HTTP status counts unless a message has shown that it arrived. */
  const dispatch = async (): Promise<void> => {
    const sent = await send(endpoint, invocation, arrived.signal, { giveUpMs: DISPATCH_MS, once: true })
    await inTurn(async () => {
      if (sent.kind === 'stopped' || record.acknowledged) return
      if (sent.kind === 'delivered') await save({ ...record, acknowledged: true })
      else await end({ text: undispatched(sent) })
    })
  }

  /** Ends the call at `time`, unless the tool sends a valid message before. */
  const failAt = async (time: string): Promise<void> => {
    const signal = AbortSignal.any([ended.signal, recovered.signal, closing.signal])
    await sleep(clock, Math.max(0, Date.parse(time) - clock.now()), signal)
    const fail = (): Promise<void> =>
      inTurn(async () => {
        if (!signal.aborted) await end({ text: record.acknowledged ? FLOW_FAILED : UNCERTAIN })
      })
    await untilDone(fail, { clock, signal, onFailure })
  }

  /** Gives the tool a while to end the call, unless a choice is still on its way. */
  const failLater = async (): Promise<void> => {
    const isChoosing = record.choice !== undefined && record.choice.state !== 'told'
    if (record.result || record.failsAt !== undefined || isChoosing) return
    const failsAt = new Date(clock.now() + parts.refusedMs).toISOString()
    await save({ ...record, failsAt })
    inBackground(failAt(failsAt))
  }

  const flow = createChoiceFlow({
    ...parts,
    invocation,
    record: () => record,
    save,
    send,
    warn,
    onFailure,
    inBackground,
    failLater,
    ended: ended.signal,
    dismissed: dismissed.signal,
    closing: closing.signal,
  })

  const takeChoice = async (message: UserChoiceMessage): Promise<void> => {
    if (record.result) throw new AskError('GONE', 'This call has ended')
    if (record.choice && isDeepStrictEqual(record.choice.message, message)) return
    if (record.choice) throw new AskError('CONFLICT', 'This call has asked for another choice')
    if (!(await mayReceive(message.response_url, endpoint)))
      throw new AskError('FORBIDDEN', 'The response URL is neither at the tool nor allowed')
    const receivedAt = new Date(clock.now()).toISOString()
    const choice: PendingChoice = record.dismissed
      ? { message, receivedAt, state: 'selected', selected: message.default }
      : { message, receivedAt, state: 'asked' }
    const { failsAt: _, ...healthy } = record
    await save({ ...healthy, acknowledged: true, choice })
    arrived.abort()
    recovered.abort()
    recovered = new AbortController()
    if (record.dismissed) return flow.proceed(choice)
    try {
      await flow.begin(choice)
    } catch (error) {
      await save(withoutChoice(record))
      throw error
    }
  }

  const takeResult = async ({ text, content, display_as }: ToolResultMessage): Promise<void> => {
    const taken: UserChoiceResult = {
      ...(text !== undefined && { text }),
      ...(content !== undefined && { content }),
      ...(display_as !== undefined && { displayAs: display_as }),
    }
    if (!record.result) await end(taken)
    else if (!isDeepStrictEqual(record.result, taken))
      throw new AskError('CONFLICT', 'This call has ended with another result')
  }

  const takeMessage = async (body: unknown): Promise<void> => {
    const message = parseCallback(body)
    if (!isAbout(message, invocation)) throw new AskError('NOT_FOUND', 'This message is about another call')
    if (message.type === 'user_choice') return takeChoice(message)
    if (message.type === 'tool_result') return takeResult(message)
    arrived.abort()
    if (!record.acknowledged) await save({ ...record, acknowledged: true })
    if (message.type === 'oauth') warn('IGNORED', 'The tool asks for an authorization, which nobody is shown')
  }

  const dismiss = (): void => {
    const dismissal = inTurn(async () => {
      if (record.result) return
      if (!record.acknowledged) return end({ text: 'Error: This call was withdrawn.' })
      await save({ ...record, dismissed: true })
      dismissed.abort()
    })
    inBackground(dismissal)
  }

  return {
    get record() {
      return record
    },
    result: result.promise,
    resultUnless: createWaiters(result.promise, dismiss),
    dispatch: () => inBackground(dispatch()),

    resume() {
      if (record.failsAt !== undefined) inBackground(failAt(record.failsAt))
      // The invocation may have been sent. A second one could do the work twice.
      else if (!record.acknowledged) inBackground(inTurn(failLater))
      if (record.choice) flow.proceed(record.choice)
    },

    take: (body) =>
      inTurn(async () => {
        try {
          await takeMessage(body)
        } catch (error) {
          if (error instanceof AskError && httpStatusOf(error.code) !== undefined) {
            warn(error.code, `A message of the tool was refused: ${error.message}`)
            await failLater()
          }
          throw error
        }
      }),

    async close() {
      closing.abort()
      while (work.size > 0) await Promise.all(work)
      result.reject(new AskError('GONE', 'The runtime was closed; the call is pending'))
    },
  }
}
