import type { ReactElement } from 'react'
import { AskerTag } from '../parts/asker-tag.tsx'
import { Deadline } from '../parts/deadline.tsx'
import type { ApprovalPartProps } from './approval-form.ts'

/** What is asked, by whom, and how long there is time. */
export function ApprovalHeading({ form, title }: ApprovalPartProps & { title: string }): ReactElement {
  const { ask, labels } = form
  return (
    <header className="sa-header">
      <p className="sa-title">
        {title} <AskerTag asker={ask.asker} labels={labels} />
      </p>
      {ask.isWaitingForInput && ask.deadline !== null && <Deadline at={ask.deadline} labels={labels} />}
    </header>
  )
}
