import type { Run } from '@sandagent/sdk'
import type { InboxPlace, UnreachableSandbox } from './inbox-sandbox.ts'
import type { RunWork } from './run-work.ts'

export interface InboxRun extends InboxPlace {
  run: Run
}

export interface InboxRuns {
  /** By the start of the run, oldest first. */
  runs: InboxRun[]
  unreachable: UnreachableSandbox[]
}

/** The reply to `GET run`: a run, and what it did last. */
export interface RunInContext extends InboxRun, RunWork {}
