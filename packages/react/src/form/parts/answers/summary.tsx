import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { unsentOf } from '../../state/entries.ts'
import { onDemand } from '../../state/on-demand.tsx'
import { AnswerList } from './answer-list.tsx'

/** Loaded where a question ended before its entries were sent. */
const Unsent = onDemand<FormPartProps>(() => import('./unsent.tsx').then(({ Unsent }) => Unsent))

/** The questions and their answers, read-only. Below them: entries of this page that were not sent. */
export function Summary({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  return (
    <>
      <AnswerList form={form} questions={ask.questions}>
        {ask.declined && ask.reason && (
          <div>
            <dt>{ask.asksBack ? labels.askedBack : labels.reason}</dt>
            <dd>
              <q dir="auto">{ask.reason}</q>
            </dd>
          </div>
        )}
      </AnswerList>
      {unsentOf(ask).length > 0 && <Unsent form={form} />}
    </>
  )
}
