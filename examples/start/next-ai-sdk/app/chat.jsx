'use client'
import { useChat } from '@ai-sdk/react'
import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/react'
import '@sandagent/react/styles.css'

const look = { all: 'revert' } // The browser's own, also with Tailwind.
const asked = (part) => <AskUserQuestion key={part.toolCallId} part={part} answerEndpoint="/api/answer" />
const shown = (part, key) => (isAskUserQuestionPart(part) ? asked(part) : <p key={key}>{part.text}</p>)

export function Chat({ saved }) {
  const { messages, sendMessage, status, error } = useChat({ id: 'first', messages: saved, resume: true })
  const last = messages.findLast(({ role }) => role === 'user')
  const goOn = () => sendMessage({ messageId: last.id, parts: last.parts })
  return (
    <main>
      {messages.flatMap((message) => message.parts).map(shown)}
      {error && <p role="alert">{error.message}</p>}
      {error && last && <input style={look} type="button" value="Go on" onClick={goOn} />}
      <form action={(form) => void sendMessage({ text: form.get('text') })}>
        <input style={look} name="text" placeholder="Plan my party with me" aria-label="Message" required />
        <input style={look} type="submit" value="Send" disabled={status !== 'ready'} />
      </form>
    </main>
  )
}
