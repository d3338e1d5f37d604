import { type ComponentType, lazy, type ReactElement, Suspense, useState } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'

/** Loaded when somebody else has the question open. A form works without it. */
const part = (name: keyof typeof import('./other-people.tsx')): ComponentType<FormPartProps> =>
  lazy(() =>
    import('./other-people.tsx').then(
      (parts) => ({ default: parts[name] }),
      () => ({ default: () => null }),
    ),
  )
const ArrivalNews = part('ArrivalNews')
const OtherPeople = part('OtherPeople')

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
        <Suspense>{isOn && <ArrivalNews form={form} />}</Suspense>
      </span>
      <Suspense>{isOn && <OtherPeople form={form} />}</Suspense>
    </div>
  )
}
