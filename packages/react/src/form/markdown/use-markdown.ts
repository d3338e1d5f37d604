import { systemClock } from '@sandagent/core/internal'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { MARKDOWN_PATIENCE_MS } from '../../timing.ts'

export type RenderMarkdown = typeof import('./markdown.tsx').renderMarkdown

let loaded: RenderMarkdown | undefined
const listeners = new Set<() => void>()

/** Loads the renderer once for the page: it is the one file that is loaded on demand. */
async function load(): Promise<void> {
  loaded ??= (await import('./markdown.tsx')).renderMarkdown
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export interface Markdown {
  /** Absent until it is loaded, or if it did not come in time. */
  render: RenderMarkdown | undefined
  /** Whether the texts keep the looks that they have now. */
  isSettled: boolean
}

/**
 * The renderer, if texts need it. Where it does not come in time, the texts stay as they are written: a form in use must
 * not move.
 */
export function useMarkdown(isNeeded: boolean): Markdown {
  const render = useSyncExternalStore(
    subscribe,
    () => loaded,
    () => undefined,
  )
  const [isLate, setLate] = useState(false)
  const isWaiting = isNeeded && !render && !isLate
  useEffect(() => {
    if (!isWaiting) return
    const giveUp = (): void => setLate(true)
    const stopTimer = systemClock.after(MARKDOWN_PATIENCE_MS, giveUp)
    load().catch(giveUp)
    return stopTimer
  }, [isWaiting])
  return { render: isLate ? undefined : render, isSettled: !isWaiting }
}
