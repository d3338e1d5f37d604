import type { ChannelWarning, RunnerChannel, TimeoutMs, WarningCode } from '@sandagent/core'
import { parseCallback } from '@sandagent/core/dialects/user-choice'
import { AskError, deferred } from '@sandagent/core/internal'
import { type DeliveryOptions, deliver } from '../lib/deliver.ts'
import { orRefusal } from '../lib/http.ts'
import { undispatched } from '../lib/result-text.ts'
import type { Role } from '../machine/interpreter.ts'
import { askChoice } from './ask-choice.ts'
import * as steps from './runtime-steps.ts'

export interface RuntimeParts extends Pick<DeliveryOptions, 'fetch' | 'clock'> {
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  onWarning: (warning: ChannelWarning) => void
  /** Whether the tool's selection may be posted to this URL. */
  mayReceive: (responseUrl: string, endpoint: string) => Promise<boolean>
}

export interface RuntimeRole extends Role<steps.RuntimeRecord> {
  /** Rejected with `GONE` when the runtime closes first. */
  result: Promise<steps.UserChoiceResult>
  /** Resolves to the result, unless the signal aborts first. The waits with one signal share a listener. */
  resultUnless(signal: AbortSignal, onAbort: () => void): Promise<steps.UserChoiceResult>
  /**
   * Takes what was posted to the call's URL. A choice is taken once the user can see it.
   *
   * @param send stores the message
   */
  receive(body: unknown, send: (move: steps.RuntimeMove) => Promise<void>): Promise<void>
}

/** How long to try to connect to a tool, in milliseconds. */
const SEND_MS = 60_000

/** What a runtime does with one call. */
export function createRuntimeRole(
  { invocation, endpoint }: steps.RuntimeRecord,
  parts: RuntimeParts,
): RuntimeRole {
  const { mayReceive, onWarning } = parts
  const withdrawn = new AbortController()
  const result = deferred<steps.UserChoiceResult>()
  const waits = new WeakMap<AbortSignal, Promise<steps.UserChoiceResult>>()
  /** For who sent the choice: settles when the user can see it, or when that failed. */
  let shown = deferred<void>()
  let isAwaited = false
  let failure: { error: unknown } | null = null
  const tellSender = (): void => {
    isAwaited = false
    if (failure) shown.reject(failure.error)
    else shown.resolve()
  }

  const warn = (code: WarningCode, message: string): void =>
    onWarning({ code, message, toolCallId: invocation.id })

  const ask = async (choice: steps.AskingStep, stop: AbortSignal): Promise<steps.RuntimeMove | null> => {
    let isOpen = false
    const onOpen = (): void => {
      isOpen = true
      tellSender()
    }
    try {
      const { channel, timeoutMs, clock } = parts
      const ends = { withdrawn: withdrawn.signal, stop, onOpen }
      const selected = await askChoice(choice, { invocation, channel, timeoutMs, clock, onWarning, ...ends })
      // An outcome whose receipt is not written yet comes without opening anything.
      tellSender()
      return selected === null ? null : steps.chosen(selected)
    } catch (error) {
      // A choice under the id of an older one can never be asked. Other failures pass, but the sender may send it again.
      const isHopeless = error instanceof AskError && error.code === 'CONFLICT'
      if (isOpen || !(isAwaited || isHopeless)) throw error
      failure = { error }
      return steps.unaskable(error)
    }
  }

  const tell = async (
    url: string,
    selected: number,
    signal: AbortSignal,
  ): Promise<steps.RuntimeMove | null> => {
    const onTrouble = (): void => warn('UNREACHABLE', 'The tool does not take the selection yet')
    const options = { ...parts, signal, giveUpMs: Number.POSITIVE_INFINITY, onTrouble }
    const told = await deliver(url, { id: invocation.id, selected }, options)
    if (told.kind === 'stopped') return null
    if (told.kind === 'refused')
      warn('REFUSED', `The tool refused the user's selection (HTTP ${told.status})`)
    return steps.told(told.kind === 'refused')
  }

  return {
    resumed: steps.resumed,
    overdue: steps.overdue,

    async work({ step }, signal) {
      if (step.at === 'asking') return ask(step, signal)
      if (step.at === 'telling') return tell(step.message.response_url, step.selected, signal)
      if (step.at !== 'sending') return null
      const sent = await deliver(endpoint, invocation, { ...parts, signal, giveUpMs: SEND_MS, once: true })
      if (sent.kind === 'stopped') return null
      return sent.kind === 'delivered' ? steps.heard : steps.ended({ text: undispatched(sent) })
    },

    onStep({ step, dismissed }, before) {
      const found = steps.resultIn(step)
      if (found) result.resolve(found)
      if (dismissed || found) withdrawn.abort()
      if (before && 'message' in step && !('message' in before.step)) {
        shown = deferred()
        isAwaited = true
        failure = null
      }
      if (step.at !== 'asking') tellSender()
    },

    onRefused: ({ code, message }) => warn(code, `A message of the tool was refused: ${message}`),

    onClose() {
      tellSender()
      result.reject(new AskError('GONE', 'The runtime was closed; the call is pending'))
    },

    result: result.promise,
    resultUnless(signal, onAbort) {
      const known = waits.get(signal)
      if (known !== undefined) return known
      const aborted = deferred<never>()
      const abort = (): void => {
        onAbort()
        aborted.reject(signal.reason)
      }
      const wait = Promise.race([result.promise, aborted.promise]).finally(() =>
        signal.removeEventListener('abort', abort),
      )
      signal.addEventListener('abort', abort)
      if (signal.aborted) abort()
      waits.set(signal, wait)
      return wait
    },

    async receive(body, send) {
      const message = await orRefusal(() => parseCallback(body))
      if (message instanceof AskError) return send(steps.refused(message))
      const isChoice = message.type === 'user_choice'
      await send(steps.taken(message, isChoice && (await mayReceive(message.response_url, endpoint))))
      if (isChoice) await shown.promise
      if (message.type === 'oauth')
        warn('IGNORED', 'The tool asks for an authorization, which nobody is shown')
    },
  }
}
