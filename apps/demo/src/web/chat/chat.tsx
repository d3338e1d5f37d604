import type { UseChatHelpers } from '@ai-sdk/react'
import type { UIMessage } from 'ai'
import type { ReactElement } from 'react'
import { Composer } from './composer.tsx'
import { Message } from './message.tsx'
import { useStickToBottom } from './use-stick-to-bottom.ts'
import { Welcome } from './welcome.tsx'

interface ChatProps {
  chat: UseChatHelpers<UIMessage>
  isRunning: boolean
}

/** The conversation, and where the person writes. */
export function Chat({ chat, isRunning }: ChatProps): ReactElement {
  const { messages, error, sendMessage, stop } = chat
  const bottom = useStickToBottom(messages)
  const send = (text: string): void => void sendMessage({ text })
  const isWaiting = isRunning && waitsForAnswer(messages.at(-1))

  return (
    <section className="chat" aria-label="Chat">
      <div className="messages" ref={bottom}>
        {messages.length === 0 && <Welcome onPick={send} />}
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {isRunning && !isWaiting && <p className="working">Working</p>}
        {error && (
          <p className="failure" role="alert">
            The agent failed: {error.message}
          </p>
        )}
      </div>
      <Composer isRunning={isRunning} isWaiting={isWaiting} onSend={send} onStop={() => void stop()} />
    </section>
  )
}

/** Whether the agent's last step is a question without an answer. */
function waitsForAnswer(message: UIMessage | undefined): boolean {
  const last = message?.parts.at(-1)
  return (
    last?.type === 'dynamic-tool' && last.state === 'input-available' && last.toolName === 'AskUserQuestion'
  )
}
