import type { HostChannel } from '@sandagent/core'
import {
  AskError,
  type Clock,
  deadlineOf,
  isFinal,
  isSettled,
  type QuestionState,
} from '@sandagent/core/internal'
import type { RunSandbox } from '@sandagent/sdk/internal'
import { attemptPaths, listRuns, type Run } from '@sandagent/sdk/internal'

export interface Outlook {
  /** The runs whose process is there. */
  running: Run[]
  /** Open questions without a final answer. */
  waiting: QuestionState[]
  /** Whether a final answer is there that no runner has taken up. */
  isAnswered: boolean
  /** When the first of the waiting questions ends, in milliseconds since 1970; `Infinity` for never. */
  deadline: number
  /** Another text after each change: an answer, a draft, output of a run. */
  fingerprint: string
}

/** @throws AskError `UNREACHABLE` when a question cannot be read */
export async function lookAt(sandbox: RunSandbox, channel: HostChannel, clock: Clock): Promise<Outlook> {
  const [states, runs] = await Promise.all([unsettledIn(channel), listRuns(sandbox)])
  const running = runs.filter(({ state }) => state === 'running')
  const waiting = states.filter(({ answerFile }) => !answerFile || !isFinal(answerFile))
  // Nobody takes up the answer to a run that has ended, before it is started again.
  const live = states.filter(({ runEnded }) => !runEnded)
  const now = clock.now()
  const deadlines = waiting
    .filter((state) => live.includes(state))
    .map(({ record, answerFile }) => record && deadlineOf(record, answerFile?.timestamp, now))
  const lengths = await Promise.all(running.map((run) => logLength(sandbox, run)))
  return {
    running,
    waiting,
    isAnswered: live.some((state) => !waiting.includes(state)),
    deadline: Math.min(Number.POSITIVE_INFINITY, ...deadlines.filter((time) => typeof time === 'number')),
    fingerprint: JSON.stringify([
      running.map(({ runId, attempt }) => [runId, attempt]),
      lengths,
      waiting.map(({ record, answerFile }) => [record?.nonce, record?.state, answerFile?.revision]),
    ]),
  }
}

/** Whether nothing happens before somebody answers: each run waits for a question. */
export const isIdle = (
  { running, waiting, isAnswered }: Outlook,
  mayPark: (run: Run) => boolean,
): boolean => {
  const asking = new Set(waiting.map(({ record }) => record?.runId))
  return (
    waiting.length > 0 &&
    !isAnswered &&
    waiting.every(({ record, runEnded }) => runEnded || record?.state === 'open') &&
    running.every((run) => asking.has(run.runId) && mayPark(run))
  )
}

async function unsettledIn(channel: HostChannel): Promise<QuestionState[]> {
  const states = await channel.states(await channel.questions({ unsettled: true }))
  return states.flatMap((state) => {
    if (state instanceof AskError) throw state
    return state.record && isSettled(state.record) ? [] : [state]
  })
}

async function logLength(sandbox: RunSandbox, { runId, attempt }: Run): Promise<number> {
  const stat = await sandbox.files.stat(attemptPaths(sandbox, runId, attempt).stream)
  return stat?.size ?? 0
}
