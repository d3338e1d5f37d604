import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { AnswerList } from './answer-list.tsx'
import { Unsent } from './unsent.tsx'

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
      <Unsent form={form} />
    </>
  )
}
