import { fileEditsIn } from '@sandagent/core/internal'
import { AskUserQuestion, type PageAnswer, ToolApproval } from '@sandagent/react'
import type { InboxQuestion } from '@sandagent/sdk/inbox'
import { type ReactElement, useMemo } from 'react'
import { answerUrl } from '../data/api.ts'
import { Edits } from './edits.tsx'

interface QuestionFormProps {
  entry: Pick<InboxQuestion, 'sandboxId' | 'question'>
  /** Sent with every request, beside the cookie of the session. */
  headers?: HeadersInit
  /** Called when the server has stored the person's final answer. */
  onAnswered?: () => void
}

/** The form of a question or an approval, and afterwards what was said. */
export function QuestionForm({ entry, headers, onAnswered }: QuestionFormProps): ReactElement {
  const { sandboxId, question } = entry
  const { toolCallId, toolName, kind, questions, subject } = question
  const isApproval = kind === 'approval' && subject !== undefined
  const part = useMemo(
    () => ({
      type: 'dynamic-tool',
      state: 'input-available',
      toolCallId,
      toolName: (isApproval ? subject.toolName : toolName) ?? 'AskUserQuestion',
      input: isApproval ? subject.input : { questions },
    }),
    [isApproval, toolCallId, toolName, subject, questions],
  )
  const edits = useMemo(
    () => (isApproval ? fileEditsIn(subject.toolName, subject.input) : []),
    [isApproval, subject],
  )
  const common = {
    part,
    answerEndpoint: answerUrl(sandboxId),
    headers,
    // Keeps drafts apart: another sandbox may use the same id.
    userId: sandboxId,
    onAnswer({ status }: PageAnswer) {
      if (status !== 'pending') onAnswered?.()
    },
  }
  if (!isApproval) return <AskUserQuestion {...common} keys="page" />
  return (
    <div className="approval">
      <Edits title="What it would write" edits={edits} isOpen />
      <ToolApproval {...common} />
    </div>
  )
}
