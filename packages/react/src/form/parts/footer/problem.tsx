import type { ReactElement } from 'react'
import type { FooterPartProps } from '../../state/ask-form.ts'
import { wouldDecline } from '../../state/entries.ts'

/** What went wrong or is missing, and a button that continues. */
export function Problem({ form }: FooterPartProps): ReactElement | null {
  const { ask, labels, isReview } = form
  const { missing, error } = ask
  const { Button } = form.components
  if (missing.length > 0 && !isReview)
    return (
      <>
        {labels.missingCount(missing.length)}{' '}
        {ask.questions.length > missing.length && !wouldDecline(ask, true) && (
          <Button data-sends="" onClick={() => form.submit({ partial: true })}>
            {labels.sendPartial}
          </Button>
        )}
      </>
    )
  // A draft that could not be sent shows in the status alone: the next entry tries again.
  const isSavedLater = ask.unsaved && (error?.code === 'UNREACHABLE' || error?.code === 'RATE_LIMITED')
  if (error === null || ask.status !== 'failed' || isSavedLater) return null
  return (
    <>
      {labels.problem(error)} <Button onClick={form.retry}>{labels.tryAgain}</Button>
    </>
  )
}
