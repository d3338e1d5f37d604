import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { unsentOf } from '../../state/entries.ts'
import { AnswerList } from './answer-list.tsx'

/** The questions and their answers, read-only. Below them: entries of this page that were not sent. */
export function Summary({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  const unsent = unsentOf(ask)
  return (
    <>
      <AnswerList form={form} questions={ask.questions}>
        {ask.declined && ask.reason && (
          <div>
            <dt>{labels.reason}</dt>
            <dd>
              <q dir="auto">{ask.reason}</q>
            </dd>
          </div>
        )}
      </AnswerList>
      {unsent.length > 0 && (
        <details className="sa-unsent">
          <summary>{labels.unsent}</summary>
          <AnswerList form={{ ...form, ask: { ...ask, responses: ask.entered } }} questions={unsent} />
        </details>
      )}
    </>
  )
}
