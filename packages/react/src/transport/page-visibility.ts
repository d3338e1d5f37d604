/** Calls back when the page is back: visible again, restored from the browser's cache, or online again. */
export function onPageReturn(callback: () => void): () => void {
  const { document, addEventListener, removeEventListener } = globalThis
  // Some runtimes of React have no window events.
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

/** Calls back when the page is closed, left or reloaded. Some browsers close hidden pages without it. */
export function onPageLeft(callback: () => void): () => void {
  const { addEventListener, removeEventListener } = globalThis
  addEventListener?.('pagehide', callback)
  return () => removeEventListener?.('pagehide', callback)
}

/** Calls back when the page is hidden. It may be closed next, and browsers say nothing more than this. */
export function onPageHidden(callback: () => void): () => void {
  const { document } = globalThis
  const onChange = (): void => {
    if (document.visibilityState === 'hidden') callback()
  }
  document?.addEventListener('visibilitychange', onChange)
  return () => document?.removeEventListener('visibilitychange', onChange)
}
