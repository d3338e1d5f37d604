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
  /** Absent until it is loaded. */
  render: RenderMarkdown | undefined
  /** Whether it is there or not worth waiting for. */
  isSettled: boolean
}

/** The renderer, if texts need it. Until it is loaded, the texts are shown as they are written. */
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
  return { render, isSettled: !isWaiting }
}
