import { QuestionList } from '@sandagent/sdk/react'
import { type ReactElement, useState } from 'react'
import type { Overview } from '../shared/api.ts'
import { Chat } from './chat/chat.tsx'
import { ChatList } from './chats/chat-list.tsx'
import { useChatId } from './chats/use-chat-id.ts'
import { useLastingChat } from './history/use-lasting-chat.ts'
import { type RestoredChat, useRestoredChat } from './history/use-restored-chat.ts'
import { SandboxPanel } from './sandbox/sandbox-panel.tsx'
import { readJson, useFetched } from './use-fetched.ts'

const PANES = { chats: 'Chats', chat: 'Chat', sandbox: 'Sandbox' } as const

/** The chats, the chat that is open, and the sandbox. Narrow windows show one of them. */
export function App(): ReactElement {
  const chatId = useChatId()
  const overview = useFetched<Overview>('/api/chats', readJson, true)
  const [pane, setPane] = useState<keyof typeof PANES>('chat')
  const openChat = (): void => setPane('chat')

  return (
    <div className="app" data-pane={pane}>
      <header className="top">
        <h1>
          <span className="mark" aria-hidden="true" /> SandAgent <span className="quiet">demo</span>
        </h1>
        <nav className="panes" aria-label="Panes">
          {Object.entries(PANES).map(([name, label]) => (
            <button
              key={name}
              type="button"
              aria-pressed={pane === name}
              onClick={() => setPane(name as keyof typeof PANES)}
            >
              {label}
            </button>
          ))}
        </nav>
      </header>
      <main>
        <ChatList chats={overview?.chats ?? []} current={chatId} onOpen={openChat} />
        <ChatAndSandbox key={chatId} chatId={chatId} overview={overview} onOpen={openChat} />
      </main>
    </div>
  )
}

interface ChatProps {
  chatId: string
  overview: Overview | null
  /** Brings the chat into sight. */
  onOpen: () => void
}

function ChatAndSandbox({ chatId, ...props }: ChatProps): ReactElement {
  const [restored, restore] = useRestoredChat(chatId)
  if (restored === null) return <p aria-busy="true" />
  return <Panes key={restored.version} chatId={chatId} {...props} restored={restored} onOutdated={restore} />
}

function Panes({
  chatId,
  overview,
  onOpen,
  restored,
  onOutdated,
}: ChatProps & { restored: RestoredChat; onOutdated: () => void }): ReactElement {
  const lasting = useLastingChat(chatId, restored, onOutdated)
  const summary = overview?.chats.find((chat) => chat.chatId === chatId)
  return (
    <>
      <QuestionList className="questions" messages={lasting.chat.messages} onOpen={onOpen} />
      <Chat lasting={lasting} agent={overview?.agent} />
      <SandboxPanel toolCallIds={summary?.asked ?? []} isRunning={lasting.isRunning} />
    </>
  )
}
