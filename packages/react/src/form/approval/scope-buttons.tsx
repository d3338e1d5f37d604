import { APPROVAL_OPTIONS, visible } from '@sandagent/core/internal'
import type { ReactElement, ReactNode } from 'react'
import type { ApprovalPartProps } from './approval-form.ts'

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

/** A text of the host, such as what a permission covers, in which backticks mark what is code. */
export const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
    return index % 2 === 1 ? <code key={index}>{visible(part)}</code> : visible(part)
  })
