import { useSyncExternalStore } from 'react'

export const VIEWS = ['open', 'later', 'history', 'runs'] as const
export type View = (typeof VIEWS)[number]

/** What the address of the page names: a list, and perhaps a question or a run in it. */
export interface Address {
  view: View
  key: string | null
}

export const useAddress = (): Address => addressIn(useSyncExternalStore(subscribe, () => location.hash))

export const hrefTo = (view: View, key?: string | null): string =>
  `#${view}${key == null ? '' : `/${encodeURIComponent(key)}`}`

/** Goes there. With `replace`, the browser's way back does not lead to where the person was. */
export function goTo(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

function addressIn(hash: string): Address {
  const [name = '', key] = hash.slice(1).split('/')
  const view = VIEWS.find((known) => known === name) ?? 'open'
  return { view, key: key ? decoded(key) : null }
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
