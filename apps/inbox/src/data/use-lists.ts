import { searchWords } from '@sandagent/core/internal'
import type { InboxQuestion, InboxRun } from '@sandagent/inbox'
import { useMemo } from 'react'
import { useHistory } from '../history/use-history.ts'
import { byAge, type Group, inGroups } from '../list/groups.ts'
import { useOutbox } from '../outbox/outbox.ts'
import { useRuns } from '../runs/use-runs.ts'
import type { View } from './address.ts'
import type { InboxState, WaitingEntry } from './inbox-state.ts'
import { matches } from './search.ts'
import { isSnoozed, useSnoozed } from './snooze.ts'

export interface Lists {
  /** The questions that wait, and those that are put off, the oldest first. What is on its way is in neither. */
  waits: Readonly<Record<'open' | 'later', readonly WaitingEntry[]>>
  /** What the list of this view shows. */
  groups: readonly Group[]
  /** The entries of all groups, in their order. */
  shown: readonly (InboxQuestion | InboxRun)[]
  /** Why a list is not there. */
  problem: string | null
  /** Loads earlier entries; absent if there are none. */
  more?: (() => void) | undefined
}

/** The list of one view, without what does not match the search. */
export function useLists(view: View, waiting: InboxState['waiting'], search: string, now: number): Lists {
  const snoozed = useSnoozed()
  const decided = useOutbox()
  const words = useMemo(() => searchWords(search), [search])
  const history = useHistory(view === 'history', search, waiting.size)
  const runs = useRuns(view === 'runs', now)
  const sorted = useMemo(() => [...waiting.values()].sort(byAge), [waiting])
  const waits = useMemo(() => {
    const [open, later]: [WaitingEntry[], WaitingEntry[]] = [[], []]
    for (const entry of sorted)
      if (!decided.has(entry.key)) (isSnoozed(entry, snoozed, now) ? later : open).push(entry)
    return { open, later }
  }, [sorted, decided, snoozed, now])
  const { questions } = history
  const { value } = runs
  const groups = useMemo((): Group[] => {
    const { open, later } = waits
    if (view === 'open')
      return inGroups(
        open.filter((entry) => matches(entry, words)),
        now,
      )
    if (view === 'later') {
      const backAt = ({ key }: { key: string }): number => snoozed[key] ?? 0
      return [
        { entries: later.filter((entry) => matches(entry, words)).sort((a, b) => backAt(a) - backAt(b)) },
      ]
    }
    if (view === 'history') return [{ entries: questions }]
    return [{ entries: (value ?? []).filter((entry) => matches(entry, words)) }]
  }, [view, waits, snoozed, questions, value, words, now])
  return useMemo(() => {
    const shown = groups.flatMap(({ entries }) => entries)
    return {
      waits,
      groups,
      shown,
      problem: view === 'history' ? history.problem : view === 'runs' ? runs.problem : null,
      more: view === 'history' ? history.more : undefined,
    }
  }, [groups, waits, view, history.problem, runs.problem, history.more])
}
