import { readerOf } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import { englishAssumptionLabels } from './labels/assumption-labels.ts'
import { Assumption } from './parts/question/assumption.tsx'
import { Thread } from './parts/question/thread.tsx'
import type { FormPartProps } from './state/ask-form.ts'

/**
 * What stands above the questions of some calls: what was asked back before, and an agent that does not wait for the answer.
 */
export function Above({ form }: FormPartProps): ReactElement {
  const { ask, isDeclining } = form
  const labels = { ...englishAssumptionLabels, ...form.labels }
  const view = ask.isWaitingForInput && !isDeclining ? ask.view : undefined
  return (
    <>
      {ask.thread.length > 0 && <Thread form={form} />}
      {view?.blocking === false && <Assumption form={form} />}
      {view && readerOf(view) === 'comes back' && <p className="sa-hint">{labels.away}</p>}
    </>
  )
}
