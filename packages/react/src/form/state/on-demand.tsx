import { type ComponentType, lazy, type ReactElement, Suspense } from 'react'

/** A part that is loaded when it is first shown. A form works without it. */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactElement {
  const Part = lazy<ComponentType<Props>>(() =>
    load().then(
      (part) => ({ default: part }),
      () => ({ default: () => null }),
    ),
  )
  return (props) => (
    <Suspense>
      <Part {...props} />
    </Suspense>
  )
}
