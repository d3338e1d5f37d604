import { AskUserQuestion, isAskUserQuestionPart } from '@sandagent/sdk/react'
import type { UIMessage } from 'ai'
import type { ReactElement, ReactNode } from 'react'
import { RichText } from './rich-text.tsx'
import { ToolCall } from './tool-call.tsx'

export function Message({ message }: { message: UIMessage }): ReactElement {
  return (
    <article
      className="message"
      data-role={message.role}
      aria-label={message.role === 'user' ? 'You' : 'Agent'}
    >
      {message.parts.map((part, index) => partOf(part, `${index}`))}
    </article>
  )
}

function partOf(part: UIMessage['parts'][number], key: string): ReactNode {
  if (part.type === 'text') return <RichText key={key} text={part.text} />
  if (isAskUserQuestionPart(part)) return <AskUserQuestion key={part.toolCallId} part={part} />
  if (part.type === 'dynamic-tool') return <ToolCall key={part.toolCallId} part={part} />
  return null
}
