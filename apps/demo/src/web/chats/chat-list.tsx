import type { ReactElement } from 'react'
import type { ChatSummary } from '../../shared/api.ts'
import { openNewChat } from './use-chat-id.ts'

interface ChatListProps {
  chats: readonly ChatSummary[]
  /** The id of the chat that is open. */
  current: string
  /** Called when a person opens a chat. */
  onOpen: () => void
}

/** The chats, and a button for a new one. A mark shows where a question waits. */
export function ChatList({ chats, current, onOpen }: ChatListProps): ReactElement {
  const isNew = chats.every(({ chatId }) => chatId !== current)
  const openNew = (): void => {
    openNewChat()
    onOpen()
  }
  return (
    <nav className="chats" aria-label="Chats">
      <button type="button" className="plain" onClick={openNew} disabled={isNew}>
        New chat
      </button>
      <ul>
        {isNew && <Entry chatId={current} title="New chat" isCurrent onOpen={onOpen} />}
        {chats.map((chat) => (
          <Entry key={chat.chatId} {...chat} isCurrent={chat.chatId === current} onOpen={onOpen} />
        ))}
      </ul>
    </nav>
  )
}

interface EntryProps extends Pick<ChatSummary, 'chatId' | 'title'> {
  isRunning?: boolean
  waiting?: number
  isCurrent: boolean
  onOpen: () => void
}

function Entry({ chatId, title, isRunning, waiting = 0, isCurrent, onOpen }: EntryProps): ReactElement {
  return (
    <li>
      <a href={`#${chatId}`} aria-current={isCurrent ? 'page' : undefined} onClick={onOpen}>
        <span>{title}</span>
        {waiting > 0 ? (
          <strong className="badge">{waiting === 1 ? 'waits for you' : `${waiting} wait for you`}</strong>
        ) : (
          isRunning && <span className="badge">working</span>
        )}
      </a>
    </li>
  )
}
