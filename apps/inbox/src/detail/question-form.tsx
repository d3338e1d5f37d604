import { fileEditsIn } from '@sandagent/core/internal'
import type { InboxQuestion } from '@sandagent/inbox'
import { AskUserQuestion, englishLabels, type PageAnswer, ToolApproval } from '@sandagent/react'
import { type KeyboardEvent, type ReactElement, useMemo } from 'react'
import { answerUrl } from '../data/api.ts'
import { Edits } from './edits.tsx'

interface QuestionFormProps {
  entry: Pick<InboxQuestion, 'sandboxId' | 'question'>
  /** Sent with every request, beside the cookie of the session. */
  headers?: HeadersInit
  /** Called when the server has stored the person's final answer. */
  onAnswered?: (answer: PageAnswer) => void
  /** Called for Escape where the form has nothing to take back. Without it, Escape declines. */
  onLeave?: () => void
}

const LABELS = { shortcuts: { ...englishLabels.shortcuts, escape: ['Esc', 'back to the list'] as const } }

/** The form of a question or an approval, and afterwards what was said. */
export function QuestionForm({ entry, headers, onAnswered, onLeave }: QuestionFormProps): ReactElement {
  const { sandboxId, question } = entry
  const { toolCallId, kind, subject } = question
  const isApproval = kind === 'approval' && subject !== undefined
  const edits = useMemo(
    () => (isApproval ? fileEditsIn(subject.toolName, subject.input) : []),
    [isApproval, subject],
  )
  const common = {
    toolCallId,
    answerEndpoint: answerUrl(sandboxId),
    headers,
    // Keeps drafts apart: another sandbox may use the same id.
    userId: sandboxId,
    onAnswer(answer: PageAnswer) {
      if (answer.status !== 'pending') onAnswered?.(answer)
    },
  }
  const onKeyDownCapture = (event: KeyboardEvent): void => {
    const { key, nativeEvent, currentTarget } = event
    if (!onLeave || key !== 'Escape' || nativeEvent.isComposing) return
    // These take Escape themselves: what can be undone, what asks whether to decline, and a filter with a text.
    if (
      currentTarget.querySelector('[data-sending], [data-safe], [type=search]:focus:not(:placeholder-shown)')
    )
      return
    event.preventDefault()
    event.stopPropagation()
    onLeave()
  }
  if (!isApproval)
    return (
      <div onKeyDownCapture={onKeyDownCapture}>
        <AskUserQuestion {...common} keys="page" {...(onLeave && { labels: LABELS })} />
      </div>
    )
  return (
    <div className="approval" onKeyDownCapture={onKeyDownCapture}>
      <Edits title="What it would write" edits={edits} isOpen />
      <ToolApproval {...common} />
    </div>
  )
}
