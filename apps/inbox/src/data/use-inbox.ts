import { useEffect, useReducer } from 'react'
import { QUESTIONS_URL } from './api.ts'
import { afterEvent, EMPTY, type InboxState } from './inbox-state.ts'

/** The pause before a broken stream is opened again, in milliseconds. */
const RETRY_MS = 700

/** The inbox as the server knows it now. The stream begins again by itself when it has broken. */
export function useInbox(): InboxState {
  const [state, dispatch] = useReducer(afterEvent, EMPTY)
  useEffect(() => {
    let source: EventSource | null = null
    let timer: ReturnType<typeof setTimeout> | undefined
    let isOver = false

    const open = (): void => {
      source?.close()
      clearTimeout(timer)
      const stream = new EventSource(QUESTIONS_URL)
      source = stream
      stream.addEventListener('list', ({ data }) =>
        dispatch({ type: 'list', list: JSON.parse(data), now: Date.now() }),
      )
      stream.onmessage = ({ data }) => dispatch({ type: 'change', change: JSON.parse(data), now: Date.now() })
      stream.onerror = () => {
        stream.close()
        void retry()
      }
    }
    const retry = async (): Promise<void> => {
      // The stream does not say why it has broken.
      const status = await fetch(`${QUESTIONS_URL}?limit=1`).then(
        (response) => response.status,
        () => 0,
      )
      if (isOver) return
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
      isOver = true
      window.removeEventListener('online', openAgain)
      document.removeEventListener('visibilitychange', openAgain)
      clearTimeout(timer)
      source?.close()
    }
  }, [])
  return state
}
