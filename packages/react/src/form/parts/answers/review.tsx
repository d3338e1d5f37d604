import { questionTitle } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { openQuestions } from '../../state/entries.ts'
import { AnswerList } from './answer-list.tsx'

/** All answers on one page, before they are sent. */
export function Review({ form }: FormPartProps): ReactElement {
  const { ask, labels, components } = form
  const open = openQuestions(ask)
  return (
    <fieldset className="sa-review" tabIndex={-1} data-position={ask.questions.length}>
      <legend className="sa-legend">
        {labels.reviewTitle}
        {open.length > 0 && <span className="sa-missing">{labels.missingCount(open.length)}</span>}
      </legend>
      <AnswerList
        form={form}
        questions={ask.questions}
        beside={(question, index) => (
          <dd className="sa-change">
            <components.Button
              look="quiet"
              aria-label={labels.about(labels.change, questionTitle(question))}
              onClick={() => form.goTo(index)}
            >
              {labels.change}
            </components.Button>
          </dd>
        )}
      />
    </fieldset>
  )
}
