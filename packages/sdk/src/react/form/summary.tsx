import type { AskedQuestion } from '@sandagent/core'
import type { ReactElement } from 'react'
import { Answer } from './answer.tsx'
import type { AskForm, FormPartProps } from './ask-form.ts'
import { unsentOf } from './entries.ts'

/** What was asked and what was answered, to be read only; under it what was entered here and does not count. */
export function Summary({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  const unsent = unsentOf(ask)
  return (
    <>
      <dl className="sa-summary">
        {answersTo(ask.questions, form)}
        {ask.cancelled && ask.reason && (
          <div>
            <dt>{labels.reason}</dt>
            <dd>
              <q dir="auto">{ask.reason}</q>
            </dd>
          </div>
        )}
      </dl>
      {unsent.length > 0 && (
        <details className="sa-unsent">
          <summary>{labels.unsent}</summary>
          <dl className="sa-summary">
            {answersTo(unsent, { ...form, ask: { ...ask, responses: ask.entered } })}
          </dl>
        </details>
      )}
    </>
  )
}

const answersTo = (questions: AskedQuestion[], form: AskForm): ReactElement[] =>
  questions.map((question) => (
    <div key={question.id}>
      <dt dir="auto">{question.question}</dt>
      <dd>
        <Answer form={form} question={question} />
      </dd>
    </div>
  ))
