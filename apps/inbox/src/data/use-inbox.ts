import type { InboxChange, InboxList } from '@sandagent/inbox'
import { useEffect, useReducer } from 'react'
import { fetchJson, QUESTIONS_URL } from './api.ts'
import { afterEvent, EMPTY, type InboxState } from './inbox-state.ts'

/** The pause before a broken stream is opened again, in milliseconds. */
const RETRY_MS = 700

/** How long changes are gathered before they are shown, in milliseconds: thousands may come at once. */
const GATHER_MS = 150

/** The inbox as the server knows it now. The stream begins again by itself when it has broken. */
export function useInbox(): InboxState {
  const [state, dispatch] = useReducer(afterEvent, EMPTY)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let leaving = new AbortController()

    const open = (): void => {
      leaving.abort()
      leaving = new AbortController()
      clearTimeout(timer)
      followStream(leaving.signal, dispatch, () => void retry(leaving.signal))
    }
    const retry = async (signal: AbortSignal): Promise<void> => {
      leaving.abort()
      // The stream does not say why it has broken.
      const status = await fetch(`${QUESTIONS_URL}?limit=1`).then(
        (response) => response.status,
        () => 0,
      )
      if (signal !== leaving.signal) return
      dispatch({ type: 'connection', connection: status === 401 ? 'signed out' : 'lost' })
      timer = setTimeout(open, RETRY_MS)
    }
    // A stream may have died unnoticed while the machine slept.
    const openAgain = (): void => {
      if (document.visibilityState === 'visible') open()
    }
    open()
    window.addEventListener('online', openAgain)
    document.addEventListener('visibilitychange', openAgain)
    return () => {
      window.removeEventListener('online', openAgain)
      document.removeEventListener('visibilitychange', openAgain)
      clearTimeout(timer)
      leaving.abort()
      leaving = new AbortController()
    }
  }, [])
  return state
}

/** Follows one stream until the signal aborts. */
function followStream(
  signal: AbortSignal,
  dispatch: (event: Parameters<typeof afterEvent>[1]) => void,
  onBroken: () => void,
): void {
  const stream = new EventSource(QUESTIONS_URL)
  let gathered: InboxChange[] = []
  let isListed = false
  let timer: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => {
    stream.close()
    clearTimeout(timer)
  })
  const show = (): void => {
    timer = undefined
    dispatch({ type: 'changes', changes: gathered, now: Date.now() })
    gathered = []
  }
  const gather = (): void => {
    // Before the list is complete, it would undo what changes.
    if (isListed && gathered.length > 0) timer ??= setTimeout(show, GATHER_MS)
  }
  stream.addEventListener('list', ({ data }) => {
    const take = (list: InboxList): void => {
      if (signal.aborted) return
      dispatch({ type: 'list', list, now: Date.now() })
      isListed = true
      gather()
    }
    const first: InboxList = JSON.parse(data)
    if (first.nextCursor !== undefined) dispatch({ type: 'beginning', list: first, now: Date.now() })
    wholeList(first, signal).then(take, () => {
      if (!signal.aborted) onBroken()
    })
  })
  stream.onmessage = ({ data }) => {
    gathered.push(JSON.parse(data))
    gather()
  }
  stream.onerror = onBroken
}

/** The stream begins with the oldest questions. The others follow in pages. */
async function wholeList(first: InboxList, signal: AbortSignal): Promise<InboxList> {
  const { unreachable } = first
  const questions = [...first.questions]
  for (let { nextCursor } = first; nextCursor !== undefined; ) {
    const url = `${QUESTIONS_URL}?cursor=${encodeURIComponent(nextCursor)}`
    const page = await fetchJson<InboxList>(url, { signal })
    questions.push(...page.questions)
    nextCursor = page.nextCursor
  }
  return { questions, unreachable }
}
