import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { entryOf } from '../state/entries.ts'

/** Shows which question is open and which are answered. A click on a chip opens its question. */
export function Chips({ form }: FormPartProps): ReactElement {
  const { ask, labels, step } = form
  const { questions } = ask
  const chips = questions.map((question, index) => {
    const { isAnswered, isSkipped } = entryOf(ask, question)
    const isMissing = ask.missing.includes(question.id)
    return {
      name: question.header || labels.questionOf(index + 1, questions.length),
      state: isMissing ? 'missing' : isAnswered ? 'answered' : isSkipped ? 'skipped' : undefined,
    } as const
  })
  return (
    <ol className="sa-chips" aria-label={labels.questions(questions.length)}>
      {[...chips, { name: labels.review, state: undefined }].map(({ name, state }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a chip is its position
        <li key={index}>
          <button
            type="button"
            className="sa-chip"
            data-state={state}
            aria-current={index === step ? 'step' : undefined}
            onClick={() => form.goTo(index)}
          >
            <bdi>{name}</bdi>
            {state && <span className="sa-hidden">{`, ${labels[state]}`}</span>}
          </button>
        </li>
      ))}
    </ol>
  )
}
