import type { AskError } from '@sandagent/core'
import type { ReactElement } from 'react'
import type { UseAskUserQuestionReturn } from '../../../use-ask-user-question.ts'
import type { FormPartProps } from '../../state/ask-form.ts'

/**
 * The error, if the person must act on it. A draft that could not be sent shows in the status alone: the next entry tries
 * again.
 */
export const alarming = ({
  status,
  error,
  unsaved,
}: Pick<UseAskUserQuestionReturn, 'status' | 'error' | 'unsaved'>): AskError | null =>
  status === 'failed' && !(unsaved && (error?.code === 'UNREACHABLE' || error?.code === 'RATE_LIMITED'))
    ? error
    : null

/** What went wrong or is missing, and a button that continues. */
export function Problem({ form }: FormPartProps): ReactElement | null {
  const { ask, labels, components, isReview } = form
  const { missing } = ask
  const { Button } = components
  if (missing.length > 0 && !isReview)
    return (
      <>
        {labels.missingCount(missing.length)}{' '}
        {ask.questions.length > missing.length && (
          <Button onClick={() => form.submit({ partial: true })}>{labels.sendPartial}</Button>
        )}
      </>
    )
  const error = alarming(ask)
  if (error === null) return null
  return (
    <>
      {labels.problem(error)} <Button onClick={form.retry}>{labels.tryAgain}</Button>
    </>
  )
}
