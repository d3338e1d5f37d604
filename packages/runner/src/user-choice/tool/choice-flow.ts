import type { ChannelWarning, Clock, Outcome, RunnerChannel, TimeoutMs, WarningCode } from '@sandagent/core'
import { formatResult, type ToolInvocation } from '@sandagent/core/dialects/user-choice'
import { untilDone } from '../../lib/back-off.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Delivery, DeliveryOptions } from '../deliver.ts'
import { askChoice } from '../runtime/ask-choice.ts'
import type { PendingChoice, RuntimeRecord } from '../runtime/runtime-record.ts'

/** What a choice needs of its call. */
export interface ChoosingCall {
  channel: RunnerChannel
  timeoutMs: TimeoutMs
  clock: Clock
  onWarning: (warning: ChannelWarning) => void
  invocation: ToolInvocation
  record: () => RuntimeRecord
  save: (record: RuntimeRecord) => Promise<void>
  send: (
    url: string,
    body: unknown,
    stop: AbortSignal,
    options: Partial<DeliveryOptions>,
  ) => Promise<Delivery>
  warn: (code: WarningCode, message: string) => void
  onFailure: (error: unknown) => void
  inTurn: <T>(task: () => Promise<T>) => Promise<T>
  inBackground: (task: Promise<void>) => void
  /** Gives the tool a while to end its call. */
  failLater: () => Promise<void>
  ended: AbortSignal
  dismissed: AbortSignal
  closing: AbortSignal
}

/** The way of a choice: the user is asked, the selection is stored, the tool is told. */
export interface ChoiceFlow {
  /** Resolves once the user can choose; the rest goes on beside. */
  begin(choice: PendingChoice): Promise<void>
  /** Takes a choice on from where it stands. */
  proceed(choice: PendingChoice): void
}

export function createChoiceFlow(call: ChoosingCall): ChoiceFlow {
  const { clock, invocation, record, save, send, warn, onFailure } = call
  const { inTurn, inBackground, failLater, ended, closing } = call

  /** Asks the user; `onOpen` hears when the question is there to be answered. */
  const ask = (choice: PendingChoice, onOpen?: () => void): Promise<Outcome> =>
    askChoice(choice, { ...call, onOpen })

  const select = (choice: PendingChoice, outcome: Outcome): Promise<void> =>
    inTurn(async () => {
      if (record().result || (outcome.kind === 'aborted' && closing.aborted)) return
      const { selected } = formatResult(outcome, invocation)
      await save({ ...record(), choice: { ...choice, state: 'selected', selected } })
    })

  /** Posts the selection until the tool has it or refuses it. */
  const tell = async (): Promise<void> => {
    const { message, receivedAt, selected } = record().choice as PendingChoice
    const onTrouble = (): void => warn('UNREACHABLE', 'The tool does not take the selection yet')
    const body = { id: invocation.id, selected }
    const told = await send(message.response_url, body, ended, { onTrouble })
    if (told.kind === 'stopped') return
    if (told.kind === 'refused')
      warn('REFUSED', `The tool refused the user's selection (HTTP ${told.status})`)
    await inTurn(async () => {
      if (record().result) return
      await save({ ...record(), choice: { message, receivedAt, state: 'told' } })
      if (told.kind === 'refused') await failLater()
    })
  }

  /** Takes a choice on from where it stands. What fails on the way is tried again: nobody else comes back to it. */
  const proceed = (choice: PendingChoice, asking?: Promise<Outcome>): void => {
    let outcome = asking
    const step = async (): Promise<void> => {
      const asked = outcome
      outcome = undefined
      if (record().choice?.state === 'asked') await select(choice, await (asked ?? ask(choice)))
      if (record().choice?.state === 'selected') await tell()
    }
    const signal = AbortSignal.any([ended, closing])
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

  return { begin, proceed }
}
