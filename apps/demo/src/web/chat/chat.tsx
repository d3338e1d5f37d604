import { useWaitingQuestions, WaitingBanner } from '@sandagent/sdk/react'
import type { ReactElement } from 'react'
import type { Overview } from '../../shared/api.ts'
import type { LastingChat } from '../history/use-lasting-chat.ts'
import { Composer } from './composer.tsx'
import { Ending } from './ending.tsx'
import { Message } from './message.tsx'
import { useStickToBottom } from './use-stick-to-bottom.ts'
import { Welcome } from './welcome.tsx'

interface ChatProps {
  lasting: LastingChat
  /** The agent that works in the sandbox, once the server has said so. */
  agent: Overview['agent'] | undefined
}

/** The conversation and the composer. */
export function Chat({ lasting, agent }: ChatProps): ReactElement {
  const { chat, isRunning, stop } = lasting
  const { messages, sendMessage } = chat
  const waiting = useWaitingQuestions()
  const bottom = useStickToBottom(messages, waiting[0]?.element)
  const send = (text: string): void => void sendMessage({ text })
  const isWaiting = waiting.length > 0

  return (
    <section className="chat" aria-label="Chat">
      <div className="messages" ref={bottom}>
        {messages.length === 0 && agent && <Welcome agent={agent} onPick={send} />}
        {messages.map((message) => (
          <Message key={message.id} message={message} />
        ))}
        {isRunning && !isWaiting && <p className="working">Working</p>}
      </div>
      <WaitingBanner className="back-to-question" />
      {!isRunning && <Ending lasting={lasting} />}
      <Composer isRunning={isRunning} isWaiting={isWaiting} onSend={send} onStop={stop} />
    </section>
  )
}
