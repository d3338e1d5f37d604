import type { ReactElement } from 'react'
import type { FormPartProps } from './ask-form.ts'
import { entryOf } from './entries.ts'

/** Where one is among the questions, what is answered, and the way to each. */
export function Chips({ form }: FormPartProps): ReactElement {
  const { ask, labels, step } = form
  const { questions } = ask
  return (
    <ol className="sa-chips" aria-label={labels.questions(questions.length)}>
      {questions.map((question, index) => {
        const { isAnswered, isSkipped } = entryOf(ask, question)
        const isMissing = ask.missing.includes(question.id)
        const state = isMissing ? 'missing' : isAnswered ? 'answered' : isSkipped ? 'skipped' : undefined
        return (
          <li key={question.id}>
            <button
              type="button"
              className="sa-chip"
              data-state={state}
              aria-current={index === step ? 'step' : undefined}
              onClick={() => form.goTo(index)}
            >
              <bdi>{question.header || labels.questionOf(index + 1, questions.length)}</bdi>
              {state && <span className="sa-hidden">{`, ${labels[state]}`}</span>}
            </button>
          </li>
        )
      })}
      <li>
        <button
          type="button"
          className="sa-chip"
          aria-current={form.isReview ? 'step' : undefined}
          onClick={() => form.goTo(questions.length)}
        >
          {labels.review}
        </button>
      </li>
    </ol>
  )
}
