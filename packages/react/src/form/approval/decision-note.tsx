import { type QuestionOption, visible } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { TextArea } from '../parts/text-area.tsx'
import { entryOf } from '../state/entries.ts'
import { type ApprovalPartProps, decisionsIn } from './approval-form.ts'
import { decisionLabel } from './approval-labels.ts'

/** Below the call while it waits: a word to the agent, and what the options mean. */
export function DecisionNote({ form }: ApprovalPartProps): ReactElement {
  const { ask, labels, question } = form
  const { denials, others } = decisionsIn(form)
  const isShown = (option: QuestionOption): boolean => [...denials, ...others].includes(option)
  return (
    <>
      <TextArea
        aria-label={labels.approvalNote}
        placeholder={labels.approvalNote}
        value={entryOf(ask, question).notes}
        onChange={({ target }) => ask.setNotes(question.id, target.value)}
      />
      {question.options?.filter(isShown).map(
        (option) =>
          option.description && (
            <p key={option.label} className="sa-hint">
              <bdi>{visible(decisionLabel(labels, option, form.reading.kind))}:</bdi>
              <bdi>{visible(option.description)}</bdi>
            </p>
          ),
      )}
    </>
  )
}
