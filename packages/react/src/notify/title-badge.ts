import { useEffect } from 'react'
import { listen } from '../page/page-events.ts'

/** How many questions of the page wait. */
let waiting = 0
/** The page's own title, and the title that is shown now. */
let replaced: { own: string; shown: string } | null = null

/**
 * Shows the number of waiting questions in the title of a hidden tab: `(2) My chat`. When the tab is visible again, it has
 * its own title.
 */
export function useTitleBadge(isWaiting: boolean): void {
  useEffect(() => (isWaiting ? countIn() : undefined), [isWaiting])
}

/** Counts one more question. The returned function undoes it. */
function countIn(): () => void {
  waiting++
  const end = listen(document, 'visibilitychange', () => update())
  update()
  return () => {
    waiting--
    end()
    update()
  }
}

function update(): void {
  // If the page has set another title meanwhile, it is kept.
  if (replaced?.shown === document.title) document.title = replaced.own
  replaced = null
  if (waiting === 0 || document.visibilityState !== 'hidden') return
  const own = document.title
  replaced = { own, shown: `(${waiting}) ${own}` }
  document.title = replaced.shown
}
