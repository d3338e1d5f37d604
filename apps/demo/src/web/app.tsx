import { useChat } from '@ai-sdk/react'
import { isAskUserQuestionPart } from '@sandagent/sdk/react'
import type { UIMessage } from 'ai'
import { type ReactElement, useState } from 'react'
import { Chat } from './chat/chat.tsx'
import { SandboxPanel } from './sandbox/sandbox-panel.tsx'

const PANES = { chat: 'Chat', sandbox: 'Sandbox' } as const

/** The page: the chat, and beside it what happens in the sandbox; one at a time where there is no room for both. */
export function App(): ReactElement {
  const chat = useChat()
  const [pane, setPane] = useState<keyof typeof PANES>('chat')
  const isRunning = chat.status === 'submitted' || chat.status === 'streaming'

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
        <Chat chat={chat} isRunning={isRunning} />
        <SandboxPanel toolCallIds={askedIn(chat.messages)} isRunning={isRunning} />
      </main>
    </div>
  )
}

/** The tool calls that asked, in order. */
const askedIn = (messages: readonly UIMessage[]): string[] =>
  messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (isAskUserQuestionPart(part) ? [part.toolCallId] : []))
