import { type ReactElement, useEffect } from 'react'
import { onDemand } from '../state/on-demand.tsx'
import { guardLostTyping } from './lost-typing.ts'
import type { PageKeyListenerProps } from './page-key-listener.ts'

/** Loaded where the keys of the page work. */
const PageKeyListener = onDemand<PageKeyListenerProps>(() =>
  import('./page-key-listener.ts').then(({ PageKeyListener }) => PageKeyListener),
)

interface PageKeysProps extends PageKeyListenerProps {
  isOn: boolean
}

/** The keys of the page, for a form that does not have the focus. */
export function PageKeys({ isOn, ...props }: PageKeysProps): ReactElement | null {
  // At once: a field may vanish before the listener has come.
  useEffect(guardLostTyping, [])
  return isOn ? <PageKeyListener {...props} /> : null
}
