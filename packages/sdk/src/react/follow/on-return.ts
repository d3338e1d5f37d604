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
