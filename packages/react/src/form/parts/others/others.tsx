import { type ReactElement, useState } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { onDemand } from '../../state/on-demand.tsx'

/** Loaded when somebody else has the question open. */
const ArrivalNews = onDemand<FormPartProps>(() =>
  import('./other-people.tsx').then(({ ArrivalNews }) => ArrivalNews),
)
const OtherPeople = onDemand<FormPartProps>(() =>
  import('./other-people.tsx').then(({ OtherPeople }) => OtherPeople),
)

/**
 * Other people who have the question open, and what they have entered. Below everything else: it comes and goes, and must
 * not move what a person is about to click.
 */
export function Others({ form }: FormPartProps): ReactElement {
  // It remembers who was announced.
  const [isOn, setOn] = useState(false)
  if (!isOn && form.ask.others.length > 0) setOn(true)
  return (
    <div className="sa-others">
      <span className="sa-hidden" aria-live="polite">
        {isOn && <ArrivalNews form={form} />}
      </span>
      {isOn && <OtherPeople form={form} />}
    </div>
  )
}
