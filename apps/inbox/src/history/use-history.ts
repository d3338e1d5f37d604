import type { InboxList, InboxQuestion } from '@sandagent/inbox'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { fetchJson, historyUrl, keyOf } from '../data/api.ts'

export interface History {
  questions: InboxQuestion[]
  problem: string | null
  /** Loads earlier ones; absent if there are none. */
  more?: () => void
}

const NOTHING: History & { search: string; cursor?: string | undefined } = {
  questions: [],
  problem: null,
  search: '',
}

/** The pause after a letter before the server searches, in milliseconds. */
const TYPING_MS = 200

/**
 * The questions that are answered or have ended, the latest first, a page at a time. The server searches in all of them.
 *
 * @param version another one is loaded again
 */
export function useHistory(isShown: boolean, search: string, version: number): History {
  const [known, setKnown] = useState(NOTHING)
  const load = useCallback(async (signal: AbortSignal, earlier: typeof NOTHING): Promise<void> => {
    const { search, cursor } = earlier
    try {
      const list = await fetchJson<InboxList>(historyUrl(search, cursor), { signal })
      const all = [...earlier.questions, ...list.questions]
      const questions = [...new Map(all.map((question) => [keyOf(question), question])).values()]
      setKnown({ questions, problem: null, search, cursor: list.nextCursor })
    } catch (error) {
      if (!signal.aborted) setKnown({ ...earlier, problem: (error as Error).message })
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version is another history
  useEffect(() => {
    if (!isShown) return
    const leaving = new AbortController()
    const isTyped = search !== known.search
    const timer = setTimeout(() => void load(leaving.signal, { ...NOTHING, search }), isTyped ? TYPING_MS : 0)
    return () => {
      clearTimeout(timer)
      leaving.abort()
    }
  }, [isShown, search, version, load])
  return useMemo(() => {
    const { cursor, questions, problem } = known
    return {
      questions,
      problem,
      ...(cursor !== undefined && { more: () => void load(new AbortController().signal, known) }),
    }
  }, [known, load])
}
