import { AskError, isFinal, isSettled, offerCounts, type QuestionCounts } from '@sandagent/core/internal'
import type { AnswerableSandbox } from '../sandbox/sandbox.ts'
import { isWaiting } from './questions.ts'
import { channelOf, type HostOptions } from './sandbox-channel.ts'

/** The sandboxes to count in, or a function that finds them each time. */
export type ObservedSandboxes =
  | readonly AnswerableSandbox[]
  | (() => readonly AnswerableSandbox[] | Promise<readonly AnswerableSandbox[]>)

/**
 * Lets the telemetry of this process report how many questions of these sandboxes wait, for how long, and how many answers
 * no runner has taken yet. Questions of runs that have ended do not wait. Nothing is read before the metrics are collected. Call it after `registerTelemetry`; without
 * telemetry it does nothing.
 *
 * @returns ends the counting
 */
export const observeQuestions = (sandboxes: ObservedSandboxes, options: HostOptions = {}): (() => void) =>
  offerCounts(async () => {
    const all = typeof sandboxes === 'function' ? await sandboxes() : sandboxes
    const counts = await Promise.all(all.map((sandbox) => countQuestions(sandbox, options)))
    const asked = counts.flatMap(({ oldestAskedAt }) => oldestAskedAt ?? []).sort()
    return {
      open: counts.reduce((sum, { open }) => sum + open, 0),
      unread: counts.reduce((sum, { unread }) => sum + unread, 0),
      oldestAskedAt: asked[0] ?? null,
    }
  })

/** Counts the questions of a sandbox. One that cannot be read counts as none. */
async function countQuestions(sandbox: AnswerableSandbox, options: HostOptions): Promise<QuestionCounts> {
  try {
    const channel = channelOf(sandbox, options)
    const states = await channel.states(await channel.questions({ unsettled: true }))
    const read = states.flatMap((state) => (state instanceof AskError ? [] : [state]))
    // Nobody needs to answer what an ended run has asked.
    const waiting = read.filter((state) => isWaiting(state) && !state.runEnded)
    const unread = read.filter(
      ({ record, answerFile }) => record && !isSettled(record) && answerFile && isFinal(answerFile),
    )
    const asked = waiting.flatMap(({ record }) => record?.askedAt ?? []).sort()
    return { open: waiting.length, unread: unread.length, oldestAskedAt: asked[0] ?? null }
  } catch {
    return { open: 0, unread: 0, oldestAskedAt: null }
  }
}
