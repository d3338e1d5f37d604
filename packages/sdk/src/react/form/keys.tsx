import type { ReactElement } from 'react'
import type { FormPartProps } from './ask-form.ts'

/** What the keys do, in a line. */
export function Keys({ form }: FormPartProps): ReactElement {
  const { ask, labels, isReview, isDeclining, step } = form
  const shown = form.isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const hasOptions = shown.some(({ options }) => options?.length)
  const { pick, move, go, line, note, escape: leave } = labels.keys
  const keys =
    isDeclining || isReview ? [go, leave] : hasOptions ? [pick, move, go, note, leave] : [go, line, leave]
  return (
    <p className="sa-keys">
      {keys.map(([key, meaning]) => (
        <span key={key}>
          <kbd dir="ltr">{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  )
}
