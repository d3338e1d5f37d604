import type { Outcome } from '@sandagent/core'
import type { AskOptions } from '../ask/ask-options.ts'
import type { AskRequest } from '../ask/ask-request.ts'
import { askUser } from '../ask/ask-user.ts'
import type { AgentRun } from './agent.ts'

/** Calls `askUser` with the defaults of the run. A run that is started again asks what its end withdrew: nobody answered it. */
export const askInRun = (
  run: AgentRun,
  request: Omit<AskRequest, 'runId'>,
  {
    timeoutMs = run.timeoutMs,
    timeoutPolicy = run.timeoutPolicy,
    signal = run.signal,
    ...options
  }: Pick<AskOptions, 'timeoutMs' | 'timeoutPolicy' | 'signal' | 'onAsked'>,
): Promise<Outcome> =>
  askUser(
    run.channel,
    { ...request, runId: run.runId },
    { timeoutMs, timeoutPolicy, signal, asksWithdrawn: true, ...options, onWarning: run.onWarning },
  )
