import { systemClock } from '@sandagent/core/internal'
import { useEffect, useState } from 'react'
import { createPageList, usePageList } from '../../page/page-list.ts'

/** A form that needs the renderer takes no entries before it has come, for at most this long. */
const MARKDOWN_PATIENCE_MS = 3_000

export type RenderMarkdown = typeof import('./markdown.tsx').renderIfQuick

const loaded = createPageList<RenderMarkdown>(() => 0)

/** Loads the renderer once for the page. */
async function load(): Promise<void> {
  const { renderIfQuick } = await import('./markdown.tsx')
  if (loaded.get().length === 0) loaded.add(renderIfQuick)
}

export interface Markdown {
  /** Absent until it is loaded. */
  render: RenderMarkdown | undefined
  /** Whether it is there or not worth waiting for. */
  isSettled: boolean
}

/** The renderer, if texts need it. Until it is loaded, the texts are shown as they are written. */
export function useMarkdown(isNeeded: boolean): Markdown {
  const [render] = usePageList(loaded)
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
