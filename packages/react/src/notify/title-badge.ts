import { useEffect } from 'react'

/** How many questions of the page wait. */
let waiting = 0
/** The page's own title, and what stands in its place. */
let replaced: { own: string; shown: string } | null = null

/**
 * Counts a question into the title of a tab that nobody looks at, `(2) My chat`, as long as it waits. All questions of
 * a page count together, and the page's own title is back when somebody looks.
 */
export function useTitleBadge(isWaiting: boolean): void {
  useEffect(() => (isWaiting ? countIn() : undefined), [isWaiting])
}

/** See {@link useTitleBadge}; the returned function takes it back. */
function countIn(): () => void {
  if (waiting++ === 0) document.addEventListener('visibilitychange', update)
  update()
  return () => {
    if (--waiting === 0) document.removeEventListener('visibilitychange', update)
    update()
  }
}

function update(): void {
  // A title that the page has set meanwhile is its own again.
  if (replaced?.shown === document.title) document.title = replaced.own
  replaced = null
  if (waiting === 0 || document.visibilityState !== 'hidden') return
  const own = document.title
  replaced = { own, shown: `(${waiting}) ${own}` }
  document.title = replaced.shown
}
