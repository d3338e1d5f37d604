import { visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { ApprovalPartProps } from './approval-form.ts'
import { ToolInput } from './tool-input.tsx'

/** What a person permits: the asker's question, and the call in full. */
export function CallReading({ form }: ApprovalPartProps): ReactElement {
  const { question, questionId, subject, labels } = form
  return (
    <>
      {question.question && (
        <p className="sa-legend" dir="auto" id={questionId}>
          {visible(question.question)}
        </p>
      )}
      <ToolInput toolName={subject.toolName} input={subject.input} labels={labels} />
    </>
  )
}
