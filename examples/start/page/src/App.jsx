import { AskUserQuestion, useOpenQuestions } from '@sandagent/react'
import '@sandagent/react/styles.css'

const headers = { 'content-type': 'application/json' }
const deploy = async () =>
  (await fetch('/api/chat', { method: 'POST', headers, body: '{"prompt":"Deploy"}' })).body.cancel()

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
