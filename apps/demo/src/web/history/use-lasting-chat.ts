import { type UseChatHelpers, useChat } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import { useEffect, useRef } from 'react'
import type { ChatHistory, Turn } from '../../shared/api.ts'
import { readJson, useFetched } from '../use-fetched.ts'
import type { RestoredChat } from './use-restored-chat.ts'

/** How often in a row the server must know more than the page. Before, the news may still be on its way. */
const SURE = 3

/** A chat whose agents go on without the page. */
export interface LastingChat {
  chat: UseChatHelpers<UIMessage>
  isRunning: boolean
  /** Whether the server is out of reach while an agent is, or was, at work. */
  isCutOff: boolean
  /** The latest message of the user and its run, once the server has responded. */
  lastTurn: Turn | undefined
  /** Stops the agent. */
  stop(): void
  /** Starts the last agent again. */
  restart(): void
}

/**
 * Continues a restored chat and its running agent. `onOutdated` is called when the server knows more than this page: from
 * another page, or from an agent that worked while the connection was broken.
 */
export function useLastingChat(chatId: string, restored: RestoredChat, onOutdated: () => void): LastingChat {
  const chat = useChat({ id: chatId, messages: restored.messages, resume: true })
  const leave = useRef(chat.stop)
  // The page stops reading. The agent goes on.
  useEffect(() => () => void leave.current(), [])
  const isRunning = chat.status === 'submitted' || chat.status === 'streaming'
  const url = `/api/chat/${encodeURIComponent(chatId)}`
  const history = useFetched<ChatHistory>(url, readJson, !isRunning)
  const lastTurn = (history ?? restored).turns.at(-1)
  const isTold = lastTurn?.messageId === chat.messages.findLast(({ role }) => role === 'user')?.id
  const hasBegun = isTold || chat.messages.at(-1)?.role === 'assistant'
  const isCutOff = chat.error instanceof TypeError && hasBegun
  const isOutdated =
    !isRunning && history !== null && (isCutOff || knowsMore(history, restored, chat.messages))

  const times = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that the server was asked counts
  useEffect(() => {
    times.current = isOutdated ? times.current + 1 : 0
    if (times.current === SURE) onOutdated()
  }, [history, isOutdated, onOutdated])

  const tell = async (what: 'stop' | 'restart'): Promise<void> => {
    await fetch(`${url}/${what}`, { method: 'POST' })
    if (what === 'restart') onOutdated()
  }
  return {
    chat,
    isRunning,
    isCutOff,
    lastTurn: isTold ? lastTurn : undefined,
    stop: () => void tell('stop'),
    restart: () => void tell('restart'),
  }
}

/** Whether the server has a message or a run that the page does not have. */
function knowsMore({ turns }: ChatHistory, restored: RestoredChat, messages: UIMessage[]): boolean {
  const attempts = new Map(restored.turns.map(({ runId, attempt }) => [runId, attempt]))
  const ids = new Set(messages.map(({ id }) => id))
  // The run may have ended before the page could follow it.
  const isMissed = restored.turns.at(-1)?.state === 'running' && messages.at(-1)?.role === 'user'
  return (
    isMissed ||
    turns.at(-1)?.state === 'running' ||
    turns.some(
      ({ messageId, runId, attempt }) => !ids.has(messageId) || attempt !== (attempts.get(runId) ?? 1),
    )
  )
}
