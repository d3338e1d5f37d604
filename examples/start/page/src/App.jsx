import { AskUserQuestion, useOpenQuestions } from '@sandagent/react'
import '@sandagent/react/styles.css'

const headers = { 'content-type': 'application/json' }
const body = JSON.stringify({ id: 'deploy', prompt: 'Deploy' })
const deploy = async () => (await fetch('/api/chat', { method: 'POST', headers, body })).body?.cancel()

export default function App() {
  const { questions } = useOpenQuestions('/api/answer')
  return (
    <main>
      <input type="button" value="Deploy" onClick={deploy} />
      {questions.map(({ toolCallId }) => (
        <AskUserQuestion key={toolCallId} toolCallId={toolCallId} answerEndpoint="/api/answer" />
      ))}
    </main>
  )
}
