import {
  type ChannelWarning,
  type Clock,
  checkOptions,
  DEFAULT_QUIET_MS,
  type OptionNames,
  parseWith,
  type QuestionRecord,
  type TimeoutMs,
} from '@sandagent/core/internal'
import * as v from 'valibot'
import type { TimeoutPolicy } from './read-answer.ts'

export interface AskOptions {
  /** How long the question waits untouched, in milliseconds. Default `never`. An adopted question keeps its own time. */
  timeoutMs?: TimeoutMs | undefined
  /** Default `partial`. */
  timeoutPolicy?: TimeoutPolicy | undefined
  /** Withdraws the question. */
  signal?: AbortSignal | undefined
  /** Ends only the wait. The outcome is `aborted`, but the question stays open, and the next call adopts it. */
  detachSignal?: AbortSignal | undefined
  /**
   * For an asker that starts again: asks a question again whose wait was withdrawn, such as by the end of its run, or whose
   * secret was read before. Default: its outcome is the same again.
   */
  asksWithdrawn?: boolean | undefined
  /** How long an answer that a page may still replace must stay the same, in milliseconds. Default 1500. */
  quietMs?: number | undefined
  clock?: Clock | undefined
  /**
   * Called once the question can be answered, and again with the new record if a secret must be asked for again. The wait
   * begins when its promise resolves.
   */
  onAsked?: ((record: QuestionRecord) => void | Promise<void>) | undefined
  /** Called for answer files that cannot be the answer, and for failed writes. The wait goes on. */
  onWarning?: ((warning: ChannelWarning) => void) | undefined
}

const NAMES: OptionNames<AskOptions> = {
  timeoutMs: true,
  timeoutPolicy: true,
  signal: 'signal',
  detachSignal: 'signal',
  asksWithdrawn: true,
  quietMs: true,
  clock: 'clock',
  onAsked: 'function',
  onWarning: 'function',
}

const optionsSchema = v.object({
  timeoutPolicy: v.optional(v.picklist(['partial', 'defaults', 'decline'])),
  quietMs: v.optional(v.pipe(v.number('milliseconds'), v.minValue(0, 'milliseconds'))),
})

/** How long an answer that another may follow must stay the same, in milliseconds. */
export const stableMsOf = ({ quietMs = DEFAULT_QUIET_MS }: AskOptions): number => quietMs

/** @throws AskError `INVALID_REQUEST` for unknown options and wrong values. */
export function checkAskOptions(options: AskOptions): void {
  const what = 'askUser: its options'
  checkOptions(what, options, NAMES)
  parseWith(optionsSchema, options, 'INVALID_REQUEST', what)
}
