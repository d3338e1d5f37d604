import type { ReactElement } from 'react'
import { Assumption } from './parts/question/assumption.tsx'
import { Thread } from './parts/question/thread.tsx'
import type { FormPartProps } from './state/ask-form.ts'

/** What stands above the questions of some calls: what was asked back before, and what the agent goes on with. */
export function Above({ form }: FormPartProps): ReactElement {
  const { ask, isDeclining } = form
  const goesOn = ask.view?.blocking === false && ask.isWaitingForInput && !isDeclining
  return (
    <>
      {ask.thread.length > 0 && <Thread form={form} />}
      {goesOn && <Assumption form={form} />}
    </>
  )
}
