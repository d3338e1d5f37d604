import type { ReactElement } from 'react'
import type { FormPartProps } from './ask-form.ts'

/** What the keys do, in a line. */
export function Keys({ form }: FormPartProps): ReactElement {
  const { ask, labels, isReview, isDeclining, step } = form
  const shown = form.isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const hasOptions = shown.some(({ options }) => options?.length)
  const { pick, move, go, goFromMany, line, note, escape: leave, stay } = labels.keys
  const goOn = shown.some(({ multiSelect }) => multiSelect) ? goFromMany : go
  const open = hasOptions ? [pick, move, goOn, note, leave] : [go, line, leave]
  const keys = isDeclining ? [stay] : isReview ? [go, leave] : open
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
