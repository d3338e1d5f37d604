import { AskError, checkOptions, isFinal, isSettled, offerCounts } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isWaiting } from './questions.ts'
import { channelOf, HOST_OPTIONS, type HostOptions } from './sandbox-channel.ts'

/** The sandboxes to count in, or a function that finds them each time. */
export type ObservedSandboxes =
  | readonly AnswerableSandbox[]
  | (() => readonly AnswerableSandbox[] | Promise<readonly AnswerableSandbox[]>)

/**
 * Lets the telemetry of this process report how many questions of these sandboxes wait, for how long, and how many answers
 * no runner has taken yet. Questions of runs that have ended do not wait. Nothing is read before the metrics are collected.
 * Call it after `registerTelemetry`; without telemetry it does nothing.
 *
 * @returns ends the counting
 */
export function observeQuestions(sandboxes: ObservedSandboxes, options: HostOptions = {}): () => void {
  checkOptions('observeQuestions: its options', options, HOST_OPTIONS)
  return offerCounts(async () => {
    const all = typeof sandboxes === 'function' ? await sandboxes() : sandboxes
    const counts = await Promise.all(all.map((sandbox) => countQuestions(sandbox, options)))
    const askedAt = counts.flatMap((each) => each.askedAt).sort()
    return {
      open: askedAt.length,
      unread: counts.reduce((sum, { unread }) => sum + unread, 0),
      oldestAskedAt: askedAt[0] ?? null,
    }
  })
}

/**
 * When each waiting question of a sandbox was asked, and how many answers are unread. One that cannot be read counts as none.
 */
async function countQuestions(
  sandbox: AnswerableSandbox,
  options: HostOptions,
): Promise<{ askedAt: string[]; unread: number }> {
  try {
    const channel = channelOf(sandbox, options)
    const states = await channel.states(await channel.questions({ unsettled: true }))
    const read = states.flatMap((state) => (state instanceof AskError ? [] : [state]))
    // Nobody needs to answer what an ended run has asked.
    const askedAt = read.flatMap((state) =>
      isWaiting(state) && !state.runEnded && state.record ? state.record.askedAt : [],
    )
    const unread = read.filter(
      ({ record, answerFile }) => record && !isSettled(record) && answerFile && isFinal(answerFile),
    )
    return { askedAt, unread: unread.length }
  } catch {
    return { askedAt: [], unread: 0 }
  }
}
