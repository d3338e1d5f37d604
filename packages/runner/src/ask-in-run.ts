import type { Outcome, TimeoutMs } from '@sandagent/core'
import type { AgentRun } from './agent.ts'
import type { AskOptions } from './ask-options.ts'
import type { AskRequest } from './ask-request.ts'
import { askUser } from './ask-user.ts'
import type { OnTimeout } from './ending.ts'

/** What a question says itself; the run's own where it says nothing. */
export interface AskInRunOptions extends Pick<AskOptions, 'onAsked'> {
  timeoutMs?: TimeoutMs | undefined
  onTimeout?: OnTimeout | undefined
  signal?: AbortSignal
}

/** Asks the user of a run, as `askUser` does. */
export const askInRun = (
  run: AgentRun,
  request: Omit<AskRequest, 'runId'>,
  { timeoutMs = run.timeoutMs, onTimeout = run.onTimeout, signal = run.signal, ...options }: AskInRunOptions,
): Promise<Outcome> =>
  askUser(
    run.channel,
    { ...request, runId: run.runId },
    { timeoutMs, onTimeout, signal, ...options, ...(run.onWarning && { onWarning: run.onWarning }) },
  )
