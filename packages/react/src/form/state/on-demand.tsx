import { type ComponentType, type ReactElement, useSyncExternalStore } from 'react'

/**
 * A part that is loaded when it is first shown. A form works without it. A server shows nothing in its place, and no
 * Suspense boundary: React 18 discards one that gets an update before it is hydrated, and reports that as an error.
 *
 * @param meanwhile what is shown until it is there, and where it does not come. Default: nothing
 */
export function onDemand<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  meanwhile: (props: Props, hasFailed: boolean) => ReactElement | null = () => null,
): (props: Props) => ReactElement | null {
  /** `true`: it did not come. */
  let loaded: ComponentType<Props> | boolean = false
  const subscribe = (onLoad: () => void) => {
    void load()
      .catch(() => true)
      .then((part) => {
        loaded = part
        onLoad()
      })
    return () => undefined
  }
  return (props) => {
    const Part = useSyncExternalStore(
      subscribe,
      () => loaded,
      () => false,
    )
    return typeof Part === 'boolean' ? meanwhile(props, Part) : <Part {...props} />
  }
}
