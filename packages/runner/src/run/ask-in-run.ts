import type { Outcome, TimeoutMs } from '@sandagent/core'
import type { AskOptions } from '../ask/ask-options.ts'
import type { AskRequest } from '../ask/ask-request.ts'
import { askUser } from '../ask/ask-user.ts'
import type { TimeoutPolicy } from '../ask/read-answer.ts'
import type { AgentRun } from './agent.ts'

/** What a question says itself; the run's own where it says nothing. */
export interface AskInRunOptions extends Pick<AskOptions, 'onAsked'> {
  timeoutMs?: TimeoutMs | undefined
  timeoutPolicy?: TimeoutPolicy | undefined
  signal?: AbortSignal | undefined
}

/** Asks the user of a run, as `askUser` does. */
export const askInRun = (
  run: AgentRun,
  request: Omit<AskRequest, 'runId'>,
  {
    timeoutMs = run.timeoutMs,
    timeoutPolicy = run.timeoutPolicy,
    signal = run.signal,
    ...options
  }: AskInRunOptions,
): Promise<Outcome> =>
  askUser(
    run.channel,
    { ...request, runId: run.runId },
    { timeoutMs, timeoutPolicy, signal, ...options, ...(run.onWarning && { onWarning: run.onWarning }) },
  )
