/** Listens to an event of the page. Some runtimes of React have none. The returned function ends it. */
export function listen(
  target: Partial<EventTarget> | undefined,
  type: string,
  act: (event: Event & { persisted?: boolean }) => void,
): () => void {
  target?.addEventListener?.(type, act)
  return () => target?.removeEventListener?.(type, act)
}

interface PageEvents {
  /** The page is hidden. It may be closed next, and some browsers say nothing more than this. */
  onHidden?: () => void
  /** The page is closed, left or reloaded. */
  onLeft?: () => void
  /** The page is back: visible again, restored from the browser's cache, or online again. */
  onReturn: () => void
}

/** Follows whether the page is there for a person. The returned function ends it. */
export function followPage({ onHidden, onLeft, onReturn }: PageEvents): () => void {
  const ends = [
    listen(globalThis.document, 'visibilitychange', () =>
      document.visibilityState === 'visible' ? onReturn() : onHidden?.(),
    ),
    listen(globalThis, 'pagehide', () => onLeft?.()),
    listen(globalThis, 'pageshow', ({ persisted }) => persisted && onReturn()),
    listen(globalThis, 'online', onReturn),
  ]
  return () => {
    for (const end of ends) end()
  }
}
