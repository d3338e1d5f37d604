import type { QuestionView } from '@sandagent/core/internal'
import { type ReactElement, useId } from 'react'
import { type AskLabels, englishLabels } from '../labels/ask-labels.ts'
import { type Overrides, override } from '../state/override.ts'
import { type ShownCall, shownCall } from './approval-form.ts'
import { type ApprovalLabels, englishApprovalLabels } from './approval-labels.ts'
import { CallReading } from './call/call-reading.tsx'
import type { PlanLabels } from './call/plan-labels.ts'

export interface ToolCallProps {
  /** The approval, as the host shows it. */
  view: QuestionView
  /** Texts in the place of the English ones. */
  labels?: Overrides<AskLabels & ApprovalLabels & PlanLabels> | undefined
}

/**
 * A tool call as `<ToolApproval>` shows it: what would happen, in full, why it is asked, and what to look at. It has no
 * buttons: it is for pages where a person decides about several calls at once. It shows nothing for a question.
 */
export function ToolCall({ view, labels }: ToolCallProps): ReactElement | null {
  const headingId = useId()
  const all = override<ShownCall['labels']>({ ...englishLabels, ...englishApprovalLabels }, labels)
  const { subject, asksAgain } = view
  const [question] = view.questions
  if (!subject || !question) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be for fields
    <div className="sa-ask" role="group" aria-labelledby={headingId}>
      <div className="sa-body">
        <CallReading form={{ ...shownCall(subject, question, asksAgain), labels: all, headingId }} />
      </div>
    </div>
  )
}
