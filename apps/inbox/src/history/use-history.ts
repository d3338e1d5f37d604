import type { InboxList, InboxQuestion, UnreachableSandbox } from '@sandagent/inbox'
import { useCallback, useEffect, useState } from 'react'
import { fetchJson, historyUrl, keyOf } from '../data/api.ts'

export interface History {
  questions: InboxQuestion[]
  unreachable: UnreachableSandbox[]
  problem: string | null
  isLoading: boolean
  /** Loads earlier ones; absent if there are none. */
  more?: () => void
}

const NOTHING: History & { cursor?: string | undefined } = {
  questions: [],
  unreachable: [],
  problem: null,
  isLoading: true,
}

/** The questions that are answered or have ended, the latest first, a page at a time. */
export function useHistory(isShown: boolean, version: number): History {
  const [known, setKnown] = useState(NOTHING)
  const load = useCallback((signal: AbortSignal, earlier: typeof NOTHING): void => {
    const take = ({ questions, unreachable, nextCursor }: InboxList): void => {
      const all = new Map([...earlier.questions, ...questions].map((question) => [keyOf(question), question]))
      setKnown({
        questions: [...all.values()],
        unreachable,
        problem: null,
        isLoading: false,
        cursor: nextCursor,
      })
    }
    fetchJson<InboxList>(historyUrl(earlier.cursor), { signal }).then(take, ({ message }: Error) => {
      if (!signal.aborted) setKnown({ ...earlier, problem: message, isLoading: false })
    })
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another history
  useEffect(() => {
    if (!isShown) return
    const leaving = new AbortController()
    load(leaving.signal, NOTHING)
    return () => leaving.abort()
  }, [isShown, version, load])
  const { cursor, ...shown } = known
  return { ...shown, ...(cursor !== undefined && { more: () => load(new AbortController().signal, known) }) }
}
