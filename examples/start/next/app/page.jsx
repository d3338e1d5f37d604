'use client'
import { useChat } from '@ai-sdk/react'
import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/react'
import '@sandagent/react/styles.css'

const asked = (part) => <AskUserQuestion key={part.toolCallId} part={part} answerEndpoint="/api/answer" />
const shown = (part, key) => (isAskUserQuestionPart(part) ? asked(part) : <p key={key}>{part.text}</p>)

export default function Page() {
  const { messages, sendMessage, error } = useChat({ id: 'deploy', resume: true })
  const start = () => sendMessage({ text: 'Deploy' })
  return (
    <main>
      <input type="button" value="Deploy" onClick={start} style={{ all: 'revert' }} />
      {messages.flatMap((message) => message.parts).map(shown)}
      {error && <p role="alert">{error.message}</p>}
    </main>
  )
}
