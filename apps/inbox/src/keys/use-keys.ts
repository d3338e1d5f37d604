import { useEffect, useRef } from 'react'

/** What the keys of the page do. */
export interface KeyActions {
  move(steps: 1 | -1): void
  enter(): void
  leave(): void
  search(): void
  help(): void
  snooze(): void
}

const ACTIONS: Readonly<Record<string, (actions: KeyActions) => void>> = {
  j: ({ move }) => move(1),
  k: ({ move }) => move(-1),
  Enter: ({ enter }) => enter(),
  Escape: ({ leave }) => leave(),
  '/': ({ search }) => search(),
  '?': ({ help }) => help(),
  s: ({ snooze }) => snooze(),
}

/** Elements that take letters. */
const TEXT = 'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]'

/** Elements that act on Enter themselves. The links of the list lead to the form. */
const PRESSED = 'button, summary, input, a:not([data-entry])'

/** Acts on keys that nothing else on the page takes: the form stops its own. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, isComposing } = event
      if (defaultPrevented || isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const element = target instanceof Element ? target : document.body
      if (element.closest(TEXT) || document.querySelector('dialog[open]')) return
      if (key === 'Enter' && element.closest(PRESSED)) return
      const act = Object.hasOwn(ACTIONS, key) ? ACTIONS[key] : undefined
      if (!act) return
      // The question would go out of sight, and its answer would be sent at once. It goes on by itself in a moment.
      if (/[jks]/.test(key) && document.querySelector('.sa-footer[data-sending]')) return
      event.preventDefault()
      act(latest.current)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}
