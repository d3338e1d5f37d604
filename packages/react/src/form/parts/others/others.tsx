import { lazy, type ReactElement, type ReactNode, Suspense } from 'react'
import type { FormPartProps } from '../../state/ask-form.ts'
import { PresenceNews } from './presence.tsx'

/** Loaded when somebody else has the question open. A form works without it. */
const OtherPeople = lazy<(props: FormPartProps) => ReactNode>(() =>
  import('./other-people.tsx').then(
    ({ OtherPeople }) => ({ default: OtherPeople }),
    () => ({ default: () => null }),
  ),
)

/**
 * Other people who have the question open, and what they have entered. Below everything else: it comes and goes, and must
 * not move what a person is about to click.
 */
export function Others({ form }: FormPartProps): ReactElement {
  const { ask, labels } = form
  return (
    <div className="sa-others">
      <PresenceNews ask={ask} labels={labels} />
      {ask.others.length > 0 && (
        <Suspense>
          <OtherPeople form={form} />
        </Suspense>
      )}
    </div>
  )
}
