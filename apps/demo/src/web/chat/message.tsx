import { AskUserQuestion, isAskUserQuestionPart, ToolApproval } from '@sandagent/sdk/react'
import type { UIMessage } from 'ai'
import { Fragment, type ReactElement, type ReactNode } from 'react'
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
  if (isAskUserQuestionPart(part)) return <AskUserQuestion key={part.toolCallId} part={part} keys="page" />
  if (part.type === 'dynamic-tool')
    return (
      <Fragment key={part.toolCallId}>
        <ToolCall part={part} />
        <ToolApproval part={part} />
      </Fragment>
    )
  return null
}
