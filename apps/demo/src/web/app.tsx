import { isAskUserQuestionPart } from '@sandagent/sdk/react'
import type { UIMessage } from 'ai'
import { type ReactElement, useState } from 'react'
import { Chat } from './chat/chat.tsx'
import { useLastingChat } from './history/use-lasting-chat.ts'
import { type RestoredChat, useRestoredChat } from './history/use-restored-chat.ts'
import { SandboxPanel } from './sandbox/sandbox-panel.tsx'

/** There is one chat per sandbox, so every page shows the same chat. */
const CHAT_ID = 'main'

const PANES = { chat: 'Chat', sandbox: 'Sandbox' } as const

/** The chat with the sandbox beside it. Narrow windows show one of them. */
export function App(): ReactElement {
  const [restored, restore] = useRestoredChat(CHAT_ID)
  const [pane, setPane] = useState<keyof typeof PANES>('chat')

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
      <main aria-busy={restored === null}>
        {restored && <Panes key={restored.version} restored={restored} onOutdated={restore} />}
      </main>
    </div>
  )
}

function Panes({ restored, onOutdated }: { restored: RestoredChat; onOutdated: () => void }): ReactElement {
  const lasting = useLastingChat(CHAT_ID, restored, onOutdated)
  return (
    <>
      <Chat lasting={lasting} />
      <SandboxPanel toolCallIds={askedIn(lasting.chat.messages)} isRunning={lasting.isRunning} />
    </>
  )
}

/** The tool calls that asked questions, in order. */
const askedIn = (messages: readonly UIMessage[]): string[] =>
  messages
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (isAskUserQuestionPart(part) ? [part.toolCallId] : []))
