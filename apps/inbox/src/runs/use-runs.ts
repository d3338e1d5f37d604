import type { InboxRun, InboxRuns } from '@sandagent/inbox'
import { RUNS_URL } from '../data/api.ts'
import { type Fetched, useFetched } from '../data/use-fetched.ts'

/** The runs of all sandboxes, the latest first. `now` moves on by itself: they are read again then. */
export function useRuns(isShown: boolean, now: number): Fetched<InboxRun[]> {
  const { value, problem } = useFetched<InboxRuns>(isShown ? RUNS_URL : null, now)
  return { value: value === null ? null : value.runs.toReversed(), problem }
}
