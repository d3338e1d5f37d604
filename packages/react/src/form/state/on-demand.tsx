import { type ComponentType, type ReactElement, useSyncExternalStore } from 'react'

/**
 * A part that is loaded when it is first shown. A form works without it. A server shows nothing in its place, and no
 * Suspense boundary: React 18 discards one that gets an update before it is hydrated, and reports that as an error.
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): (props: Props) => ReactElement | null {
  let loaded: ComponentType<Props> | undefined
  const subscribe = (onLoad: () => void) => {
    load().then(
      (part) => {
        loaded = part
        onLoad()
      },
      () => undefined,
    )
    return () => undefined
  }
  return (props) => {
    const Part = useSyncExternalStore(
      subscribe,
      () => loaded,
      () => undefined,
    )
    return Part ? <Part {...props} /> : null
  }
}
