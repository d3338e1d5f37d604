import type { ReactElement } from 'react'
import { Answer } from './answer.tsx'
import type { FormPartProps } from './ask-form.ts'
import { openQuestions } from './entries.ts'

/** All answers on one page, before they are sent. */
export function Review({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  const open = openQuestions(ask)
  return (
    <fieldset className="sa-review" tabIndex={-1} data-position={ask.questions.length}>
      <legend className="sa-legend">
        {labels.reviewTitle}
        {open.length > 0 && <span className="sa-missing">{labels.leftOpen(open.length)}</span>}
      </legend>
      <dl className="sa-summary">
        {ask.questions.map((question, index) => (
          <div key={question.id} data-missing={open.includes(question) || undefined}>
            <dt dir="auto">{question.question}</dt>
            <dd>
              <Answer form={form} question={question} />
            </dd>
            <dd className="sa-change">
              <components.Button
                look="quiet"
                aria-label={`${labels.change}: ${question.question}`}
                onClick={() => form.goTo(index)}
              >
                {labels.change}
              </components.Button>
            </dd>
          </div>
        ))}
      </dl>
    </fieldset>
  )
}
