import type { UIMessage } from 'ai'
import { useCallback, useEffect, useState } from 'react'
import type { ChatHistory, Turn } from '../../shared/api.ts'
import { restoreMessages } from './restore-messages.ts'

/** A chat, as restored from the server. */
export interface RestoredChat {
  turns: Turn[]
  messages: UIMessage[]
  /** Counts how often it was restored. */
  version: number
}

/** The chat with this id, `null` until it is loaded, and a function that loads it again. */
export function useRestoredChat(chatId: string): [RestoredChat | null, () => void] {
  const [restored, setRestored] = useState<RestoredChat | null>(null)
  const [wanted, setWanted] = useState(1)

  useEffect(() => {
    const stop = new AbortController()
    const restore = async (): Promise<void> => {
      const response = await fetch(`/api/chat/${encodeURIComponent(chatId)}`, { signal: stop.signal })
      const history: ChatHistory = await response.json()
      const messages = await restoreMessages(history, stop.signal)
      if (!stop.signal.aborted) setRestored({ turns: history.turns, messages, version: wanted })
    }
    // Without the server the page stays as it is. The caller tries again.
    restore().catch(() => {})
    return () => stop.abort()
  }, [chatId, wanted])

  return [restored, useCallback(() => setWanted((count) => count + 1), [])]
}
