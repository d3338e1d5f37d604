import { withLineBreaks } from '@sandagent/core/internal'
import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'
import { entryOf, openQuestions } from '../state/entries.ts'

/** From this many questions on, a menu takes the place of the chips. */
const MENU_FROM = 8
const MARKS = { missing: '!', answered: '✓', skipped: '–' }

interface Step {
  name: string
  state: 'missing' | 'answered' | 'skipped' | undefined
}

/** Shows which question is open and which are answered, and leads to each of them. */
export function Chips({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  const { questions } = ask
  const open = openQuestions(ask)
  const steps = questions.map((question): Step => {
    const { isAnswered, isSkipped } = entryOf(ask, question)
    // What is entered may not fit, such as 501 where 500 is the most.
    const isDone = isAnswered && !open.includes(question)
    const isMissing = ask.missing.includes(question.id)
    return {
      name: withLineBreaks(question.header ?? ''),
      state: isMissing ? 'missing' : isDone ? 'answered' : isSkipped ? 'skipped' : undefined,
    }
  })
  const Steps = questions.length < MENU_FROM ? ChipList : Menu
  return <Steps form={form} steps={[...steps, { name: labels.review, state: undefined }]} />
}

interface StepsProps extends FormPartProps {
  steps: Step[]
}

const ChipList = ({ form, steps }: StepsProps): ReactElement => (
  <ol className="sa-chips" aria-label={form.labels.questions(steps.length - 1)}>
    {steps.map(({ name, state }, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a chip is its position
      <li key={index}>
        <button
          type="button"
          className="sa-chip"
          data-state={state}
          aria-current={index === form.step ? 'step' : undefined}
          onClick={() => form.goTo(index)}
        >
          {state && (
            <span className="sa-mark" aria-hidden="true">
              {MARKS[state]}
            </span>
          )}
          <bdi>{name || form.labels.questionOf(index + 1, steps.length - 1)}</bdi>
          {state && <span className="sa-hidden">{`, ${form.labels[state]}`}</span>}
        </button>
      </li>
    ))}
  </ol>
)

/** The native menu works with fingers, keys and screen readers. */
function Menu({ form, steps }: StepsProps): ReactElement {
  const { labels, step } = form
  const total = steps.length - 1
  return (
    <select
      className="sa-menu"
      aria-label={labels.questions(total)}
      value={step}
      // Arrow keys walk through a closed menu: it keeps the focus.
      onChange={(event) => form.goTo(Number(event.target.value), { keepFocus: true })}
    >
      {steps.map(({ name, state }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an entry is its position
        <option key={index} value={index}>
          {[index < total && labels.place(index + 1, total), name, state && MARKS[state]]
            .filter(Boolean)
            .join('  ')}
        </option>
      ))}
    </select>
  )
}
