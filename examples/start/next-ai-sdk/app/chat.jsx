'use client'
import { useChat } from '@ai-sdk/react'
import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/react'
import '@sandagent/react/styles.css'

export function Chat({ saved }) {
  const { messages, sendMessage, status, error } = useChat({ id: 'first', messages: saved, resume: true })
  const isBusy = status === 'submitted' || status === 'streaming'
  const shown = (part, index) =>
    isAskUserQuestionPart(part) ? (
      <AskUserQuestion key={index} part={part} answerEndpoint="/api/answer" />
    ) : (
      <p key={index}>{part.text}</p>
    )
  return (
    <main>
      {messages.flatMap((message) => message.parts).map(shown)}
      {error && <p role="alert">{error.message}</p>}
      <form action={(form) => void sendMessage({ text: form.get('text') })}>
        <input name="text" placeholder="Plan my birthday with me" aria-label="Message" required />
        <input type="submit" value="Send" disabled={isBusy} />
      </form>
    </main>
  )
}
