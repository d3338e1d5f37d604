import { lazy, type ReactElement, Suspense, useEffect } from 'react'
import { guardLostTyping } from './lost-typing.ts'
import type { PageKeyListenerProps } from './page-key-listener.ts'

/** Loaded where the keys of the page work. A form works without it. */
const PageKeyListener = lazy<(props: PageKeyListenerProps) => null>(() =>
  import('./page-key-listener.ts').then(
    ({ PageKeyListener }) => ({ default: PageKeyListener }),
    () => ({ default: () => null }),
  ),
)

interface PageKeysProps extends PageKeyListenerProps {
  isOn: boolean
}

/** The keys of the page, for a form that does not have the focus. */
export function PageKeys({ isOn, ...props }: PageKeysProps): ReactElement {
  // At once: a field may vanish before the listener has come.
  useEffect(guardLostTyping, [])
  return <Suspense>{isOn && <PageKeyListener {...props} />}</Suspense>
}
