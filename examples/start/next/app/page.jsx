'use client'
import { useChat } from '@ai-sdk/react'
import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/react'
import '@sandagent/react/styles.css'

const said = ({ text }, index) => <p key={index}>{text}</p>

export default function Page() {
  const { messages, sendMessage } = useChat({ id: 'deploy', resume: true })
  const start = () => sendMessage({ text: 'Deploy' })
  const parts = messages.flatMap((message) => message.parts)
  const question = parts.find(isAskUserQuestionPart)
  return (
    <main>
      <input type="button" value="Deploy" onClick={start} style={{ all: 'revert' }} />
      {question && <AskUserQuestion part={question} answerEndpoint="/api/answer" />}
      {parts.map(said)}
    </main>
  )
}
