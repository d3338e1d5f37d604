import type { AskedQuestion } from '@sandagent/core'
import type { ReactElement } from 'react'
import type { FormPartProps } from '../state/ask-form.ts'

/** The keyboard shortcuts that work now, in one line. */
export function Shortcuts({ form }: FormPartProps): ReactElement {
  const { ask, labels, isStepwise, isReview, isDeclining, step } = form
  const shown = isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const hasOptions = shown.some(({ options }) => options?.length)
  const { pick, move, go, goFromMany, send, sendFromMany, line, note, escape: leave, stay } = labels.shortcuts
  const [enter, controlEnter] = isStepwise && !isReview ? [go, goFromMany] : [send, sendFromMany]
  // Otherwise Enter alone picks.
  const isEnough = (question: AskedQuestion): boolean =>
    !question.options?.length || (isStepwise ? !question.multiSelect : form.sendsOnPick(question))
  const goOn = shown.every(isEnough) ? enter : controlEnter
  const open = hasOptions ? [pick, move, goOn, note, leave] : [goOn, line, leave]
  const shortcuts = isDeclining ? [stay] : isReview ? [goOn, leave] : open
  return (
    <p className="sa-shortcuts">
      {shortcuts.map(([key, meaning]) => (
        <span key={key}>
          <kbd dir="ltr">{key}</kbd> {meaning}
        </span>
      ))}
    </p>
  )
}
