import {
  type ChannelWarning,
  type Clock,
  checkOptions,
  type OptionNames,
  parseWith,
  type QuestionRecord,
  type TimeoutMs,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import type { TimeoutPolicy } from './read-answer.ts'

export interface AskOptions {
  /** How long nobody may touch the question, in milliseconds. Default `never`; an adopted question keeps its own. */
  timeoutMs?: TimeoutMs | undefined
  /** Default `partial`. */
  timeoutPolicy?: TimeoutPolicy | undefined
  /** Withdraws the question. */
  signal?: AbortSignal | undefined
  /** Ends the wait alone: the outcome is `aborted` too, but the question stays open, and the next call adopts it. */
  detachSignal?: AbortSignal | undefined
  /**
   * How long an answer to a multiple choice or in words must stay the same, in milliseconds, where it came without a
   * status and may still be replaced. Default 1500.
   */
  quietMs?: number | undefined
  clock?: Clock | undefined
  /** Called once the question can be answered, before the wait; what it returns is waited for. */
  onAsked?: ((record: QuestionRecord) => void | Promise<void>) | undefined
  /** Told of answer files that are there and cannot be the answer, and of what cannot be written; the wait goes on. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

const NAMES: OptionNames<AskOptions> = {
  timeoutMs: true,
  timeoutPolicy: true,
  signal: 'signal',
  detachSignal: 'signal',
  quietMs: true,
  clock: 'clock',
  onAsked: 'function',
  onWarning: 'function',
}

/** Values that would make a wait fail, or end otherwise than meant, once its question is written. */
const optionsSchema = v.object({
  timeoutPolicy: v.optional(v.picklist(['partial', 'defaults', 'decline'])),
  quietMs: v.optional(v.pipe(v.number('milliseconds'), v.minValue(0, 'milliseconds'))),
})

/** @throws AskError `INVALID_REQUEST` for options that `askUser` does not have, or that have no such values. */
export function checkAskOptions(options: AskOptions): void {
  const what = 'askUser: its options'
  checkOptions(what, options, NAMES)
  parseWith(optionsSchema, options, 'INVALID_REQUEST', what)
}
