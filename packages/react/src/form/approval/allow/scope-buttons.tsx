import { APPROVAL_OPTIONS } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { ApprovalPartProps } from '../approval-form.ts'
import { withCode } from '../with-code.tsx'

/** What a person can allow beyond this call: a list that opens, with a button for each. Each says all that it allows. */
export function ScopeButtons({ form }: ApprovalPartProps): ReactElement {
  const { ask, labels, components, question, decide } = form
  const allow = (scope: string): void =>
    ask.selectAnswer(question.id, APPROVAL_OPTIONS.allowOnce.value, false, {
      autoSubmit: 'immediately',
      scope,
    })
  return (
    <details className="sa-scopes">
      <summary>{labels.allowMore}</summary>
      <ul>
        {ask.view?.scopes?.map(({ id, covers }) => (
          <li key={id}>
            <components.Button data-scope={id} onClick={() => decide(() => allow(id))}>
              <span>{withCode(covers)}</span>
            </components.Button>
          </li>
        ))}
      </ul>
    </details>
  )
}
