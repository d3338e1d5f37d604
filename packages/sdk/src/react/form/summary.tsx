import type { ReactElement } from 'react'
import { Answer } from './answer.tsx'
import type { FormPartProps } from './ask-form.ts'

/** What was asked and what was answered, to be read only. */
export function Summary({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  return (
    <dl className="sa-summary">
      {ask.questions.map((question) => (
        <div key={question.id}>
          <dt dir="auto">{question.question}</dt>
          <dd>
            <Answer form={form} question={question} />
          </dd>
        </div>
      ))}
      {ask.cancelled && ask.reason && (
        <div>
          <dt>{labels.reason}</dt>
          <dd>
            <q dir="auto">{ask.reason}</q>
          </dd>
        </div>
      )}
    </dl>
  )
}
