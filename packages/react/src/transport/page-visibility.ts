/** Calls back when a page that was away is back: looked at again, out of a browser's cache, online again. */
export function onReturn(callback: () => void): () => void {
  const { document, addEventListener, removeEventListener } = globalThis
  // Not every runtime that React runs on has a window's events.
  if (!document || !addEventListener) return () => {}
  const onVisibility = (): void => {
    if (document.visibilityState === 'visible') callback()
  }
  const onShow = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) callback()
  }
  document.addEventListener('visibilitychange', onVisibility)
  addEventListener('pageshow', onShow)
  addEventListener('online', callback)
  return () => {
    document.removeEventListener('visibilitychange', onVisibility)
    removeEventListener('pageshow', onShow)
    removeEventListener('online', callback)
  }
}

/** Calls back when the page may be about to go: a browser says nothing more than that it is out of sight. */
export function onHidden(callback: () => void): (() => void) | undefined {
  const { document } = globalThis
  const onChange = (): void => {
    if (document.visibilityState === 'hidden') callback()
  }
  document?.addEventListener('visibilitychange', onChange)
  return () => document?.removeEventListener('visibilitychange', onChange)
}
