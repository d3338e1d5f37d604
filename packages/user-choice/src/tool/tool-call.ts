import {
  isSelection,
  parseUserChoice,
  type ToolResultMessage,
  type UserChoiceMessage,
} from '@sandagent/core/dialects/user-choice'
import {
  AskError,
  type ChannelWarning,
  type Clock,
  deferred,
  type WarningCode,
} from '@sandagent/core/internal'
import { type Delivery, deliver } from '../lib/deliver.ts'
import {
  CANCELLED,
  FLOW_FAILED,
  failureOf,
  INTERRUPTED,
  rememberedText,
  sendable,
  UNKNOWN_OPERATION,
} from '../lib/result-text.ts'
import type { Decisions, RememberedDecision } from './decisions.ts'
import type { ChoiceRequest, InvokedCall, Picked, ToolOperation } from './operation.ts'
import type { AwaitedChoice, ToolRecord } from './tool-record.ts'

export interface ToolParts {
  /** `undefined` for an unknown name. */
  operation: ToolOperation | undefined
  decisions: Decisions
  /** The URL for the selection of this call. */
  responseUrl: string
  timeoutMs: number
  fetch: typeof fetch
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  save: (record: ToolRecord) => Promise<void>
  /** Runs the changes of this call one after the other. */
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
}

export interface ToolCallWork {
  readonly record: ToolRecord
  /** Goes on from the stored record. Resolves when the call has ended or the tool closes. */
  run(): Promise<void>
  /** @param fault why what came is no selection, for the one who sent it */
  takeSelection(selected: unknown, fault?: AskError): Promise<void>
  /** Ends a call whose work has not begun. Otherwise it aborts the work's signal. */
  cancel(): Promise<void>
  /** Stops. The next tool with this storage goes on. */
  close(): void
}

/** How long to try to send the choice to the runtime, in milliseconds. */
const CHOICE_MS = 2 * 60_000
/** How long to try to send the result, in milliseconds. */
const RESULT_MS = 24 * 60 * 60_000

export function createToolCall(stored: ToolRecord, parts: ToolParts): ToolCallWork {
  const { operation, decisions, responseUrl, timeoutMs, fetch, clock, onWarning, inTurn } = parts
  const { invocation } = stored
  const { group_id, id, call_id = null, user_id, thread_ancestors } = invocation
  let record = stored
  /** Resolves when the wait for the selection is over. */
  const waited = deferred<void>()
  const closed = new AbortController()
  const closing = closed.signal
  const cancelled = new AbortController()

  const call: InvokedCall = {
    operation: invocation.operation,
    arguments: invocation.arguments,
    id,
    groupId: group_id,
    ...(typeof user_id === 'string' && { userId: user_id }),
    threadAncestors: thread_ancestors ?? [],
    signal: AbortSignal.any([closing, cancelled.signal]),
  }

  const warn = (code: WarningCode, message: string): void => onWarning({ code, message, toolCallId: id })

  const put = async (next: ToolRecord): Promise<void> => {
    await parts.save(next)
    record = next
  }

  /** Saves a change to a call that has no result yet. */
  const change = (changed: Partial<ToolRecord>): Promise<void> =>
    inTurn(async () => {
      if (record.result === undefined) await put({ ...record, ...changed })
    })

  const send = (message: UserChoiceMessage | ToolResultMessage, stop: AbortSignal, giveUpMs: number) =>
    deliver(invocation.callback_url, message, { fetch, clock, signal: stop, giveUpMs })

  const messageOf = ({ prompt, choices, default: index }: ChoiceRequest): UserChoiceMessage =>
    parseUserChoice({
      type: 'user_choice',
      group_id,
      id,
      call_id,
      prompt,
      choices,
      default: index,
      response_url: responseUrl,
    })

  const onSent = (sent: Delivery): void => {
    if (sent.kind === 'refused') warn('REFUSED', `The runtime refused the choice (HTTP ${sent.status})`)
    if (sent.kind === 'unreachable') warn('UNREACHABLE', 'The runtime could not be reached with the choice')
    if (sent.kind === 'refused' || sent.kind === 'unreachable') waited.resolve()
  }

  /** Sends the choice and waits for the selection, a failure to send, or the deadline. */
  const waitForSelection = async ({ request, deadline }: AwaitedChoice): Promise<void> => {
    const over = new AbortController()
    const stop = AbortSignal.any([over.signal, closing])
    const cancelTimer = clock.after(Date.parse(deadline) - clock.now(), waited.resolve)
    const sending = send(messageOf(request), stop, CHOICE_MS).then(onSent)
    await waited.promise
    cancelTimer()
    over.abort()
    await sending
  }

  /** `null` when the call has its result already, or the tool closes. */
  const pick = async (choice: AwaitedChoice): Promise<Picked | null> => {
    if (choice.selected === undefined) await waitForSelection(choice)
    // In turn: a selection that comes now finds a waiting call or its result.
    await inTurn(async () => {
      const isMissing = record.choice?.selected === undefined && record.result === undefined
      if (isMissing && !closing.aborted) await put({ ...record, result: FLOW_FAILED })
    })
    const index = record.choice?.selected
    if (index === undefined) return null
    await decisions.keep(invocation, choice.request, index, clock.now())
    return { index, label: choice.request.choices[index] as string, isRemembered: false }
  }

  /** Turns errors of an operation into text for the model. `null` when the tool closes. */
  const attempt = async <T>(
    part: () => T | Promise<T>,
  ): Promise<{ value: T } | { failure: string } | null> => {
    try {
      return { value: await part() }
    } catch (error) {
      if (closing.aborted) return null
      warn('FAILED', error instanceof Error ? error.message : String(error))
      return { failure: failureOf(error) }
    }
  }

  const confirm = async (known: ToolOperation): Promise<ChoiceRequest | null> => {
    const request = await known.confirm(call)
    if (request) messageOf(request)
    return request
  }

  const perform = async (
    known: ToolOperation,
    picked: Picked | null,
    remembered?: RememberedDecision,
  ): Promise<void> => {
    if (closing.aborted) return
    await change({ begun: true })
    if (!record.begun) return
    const done = await attempt(() => known.perform(call, picked))
    if (!done) return
    const failure = (words: string): string => (cancelled.signal.aborted ? CANCELLED : words)
    const result = 'value' in done ? sendable(done.value) : failure(done.failure)
    await change({ result, ...(remembered && { display: rememberedText(result, remembered) }) })
  }

  const finish = async (): Promise<void> => {
    if (record.begun) return change({ result: INTERRUPTED })
    if (!operation) return change({ result: UNKNOWN_OPERATION })
    if (!record.choice) {
      const asked = await attempt(() => confirm(operation))
      if (!asked) return
      if ('failure' in asked) return change({ result: asked.failure })
      const request = asked.value
      if (!request) return perform(operation, null)
      const remembered = await decisions.recall(invocation, request)
      if (remembered) {
        const { decision, index } = remembered
        return perform(operation, { index, label: decision.label, isRemembered: true }, decision)
      }
      const deadline = new Date(clock.now() + timeoutMs).toISOString()
      await change({ choice: { request, deadline } })
    }
    const picked = record.choice && (await pick(record.choice))
    if (picked) await perform(operation, picked)
  }

  return {
    get record() {
      return record
    },

    async run() {
      if (record.result === undefined) await finish()
      if (record.result === undefined) return
      const { result: text, display } = record
      const result: ToolResultMessage = {
        type: 'tool_result',
        group_id,
        id,
        call_id,
        text,
        ...(display !== undefined && { display_as: [{ type: 'text', content: display }] }),
      }
      const sent = await send(result, closing, RESULT_MS)
      if (sent.kind === 'stopped') return
      if (sent.kind === 'refused') warn('REFUSED', `The runtime refused the result (HTTP ${sent.status})`)
      if (sent.kind === 'unreachable') warn('UNREACHABLE', 'The runtime could not be reached with the result')
      await inTurn(() => put({ ...record, endedAt: new Date(clock.now()).toISOString() }))
    },

    takeSelection: (selected, fault) =>
      inTurn(async () => {
        const { choice, result } = record
        if (choice?.selected !== undefined && choice.selected === selected) return
        const refuse = (code: 'CONFLICT' | 'GONE' | 'INVALID_ANSWERS', why: string): AskError => {
          warn(code, `A selection was refused: ${why}`)
          return new AskError(code, why)
        }
        if (choice?.selected !== undefined) throw refuse('CONFLICT', 'Another selection came first')
        if (result !== undefined || !choice) throw refuse('GONE', 'This call waits for no selection')
        const isValid = isSelection(choice.request.choices, selected)
        await put(
          isValid ? { ...record, choice: { ...choice, selected } } : { ...record, result: FLOW_FAILED },
        )
        waited.resolve()
        if (isValid) return
        const refusal = refuse(
          'INVALID_ANSWERS',
          fault?.message ?? 'This is no selection: expected the index of a choice',
        )
        throw fault ?? refusal
      }),

    cancel: () =>
      inTurn(async () => {
        if (record.result !== undefined) return
        if (!record.begun) await put({ ...record, result: CANCELLED })
        cancelled.abort()
        waited.resolve()
      }),

    close() {
      closed.abort()
      waited.resolve()
    },
  }
}
