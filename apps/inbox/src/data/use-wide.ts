import { useSyncExternalStore } from 'react'

/** As in layout.css: narrower windows show the list or the question. */
const NARROW = '(max-width: 52rem)'

const subscribe = (listener: () => void): (() => void) => {
  const query = matchMedia(NARROW)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the window shows the list and the question side by side. */
export const useWide = (): boolean => useSyncExternalStore(subscribe, () => !matchMedia(NARROW).matches)
