import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { unsentOf } from '../../state/entries.ts'
import { AnswerList } from './answer-list.tsx'

/** What was asked and what was answered, to be read only; under it what was entered here and does not count. */
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
