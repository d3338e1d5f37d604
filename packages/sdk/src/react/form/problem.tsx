import type { ReactElement } from 'react'
import type { FormPartProps } from './ask-form.ts'

/** What went wrong or is missing, and the way on. */
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
  if (ask.error === null || ask.status !== 'failed') return null
  return (
    <>
      {labels.problem(ask.error)} <Button onClick={form.retry}>{labels.tryAgain}</Button>
    </>
  )
}
