import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/react'
import type { UIMessage } from 'ai'
import type { ReactElement } from 'react'

/** A question is asked, text is shown, and so is the name of every other tool with what it was given. */
export function MessagePart({ part }: { part: UIMessage['parts'][number] }): ReactElement | null {
  if (isAskUserQuestionPart(part))
    return <AskUserQuestion part={part} answerEndpoint="/api/answer" layout="all" />
  if (part.type === 'text') return <p>{part.text}</p>
  if (part.type !== 'dynamic-tool') return null
  return (
    <details>
      <summary>{part.toolName}</summary>
      <pre>{JSON.stringify(part.input, null, 2)}</pre>
    </details>
  )
}
