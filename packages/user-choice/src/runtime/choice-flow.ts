import { formatResult } from '@sandagent/core/dialects/user-choice'
import { deferred, type Outcome, untilDone, type WarningCode } from '@sandagent/core/internal'
import type { Delivery, DeliveryOptions } from '../lib/deliver.ts'
import { type AskChoiceOptions, askChoice } from './ask-choice.ts'
import type { PendingChoice, RuntimeRecord } from './runtime-record.ts'

/** What a choice needs of its call. */
export interface ChoosingCall extends Omit<AskChoiceOptions, 'onOpen'> {
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
}

/** The steps of a choice: ask the user, store the selection, send it to the tool. */
export interface ChoiceFlow {
  /** Resolves once the user can choose. The next steps follow in the background. */
  begin(choice: PendingChoice): Promise<void>
  /** Does the steps that are left, in the background. */
  proceed(choice: PendingChoice): void
}

export function createChoiceFlow(call: ChoosingCall): ChoiceFlow {
  const { clock, invocation, record, save, send, warn, onFailure } = call
  const { inTurn, inBackground, failLater, ended, closing } = call

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

  const proceed = (choice: PendingChoice, first?: Promise<Outcome>): void => {
    let outcome = first
    const step = async (): Promise<void> => {
      const asked = outcome
      outcome = undefined
      if (record().choice?.state === 'asked') await select(choice, await (asked ?? ask(choice)))
      if (record().choice?.state === 'selected') await tell()
    }
    const signal = AbortSignal.any([ended, closing])
    inBackground(untilDone(step, { clock, signal, onFailure }))
  }

  const begin = async (choice: PendingChoice): Promise<void> => {
    const opened = deferred<void>()
    const outcome = ask(choice, opened.resolve)
    // An outcome whose receipt is not written yet comes without opening anything.
    outcome.then(() => opened.resolve(), opened.reject)
    await opened.promise
    proceed(choice, outcome)
  }

  return { begin, proceed }
}
