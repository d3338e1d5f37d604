import { useEffect, useLayoutEffect, useRef } from 'react'
import { hasJustArrived, isHasty, noteHaste } from './arrival.ts'

/** What the keys of the page do. */
export interface KeyActions {
  move(steps: 1 | -1): void
  enter(): void
  leave(): void
  search(): void
  help(): void
  undo(): void
  select(isRange: boolean): void
  /** What acts on the question that is shown. */
  done(): void
  snooze(): void
  /** @returns whether there is such a button: the form of a question takes numbers itself */
  pointAt(what: 'allow' | 'deny' | number): boolean
}

/** `false`: the key is left to others. */
type Act = (actions: KeyActions) => unknown

const ACTIONS: Readonly<Record<string, Act>> = {
  j: ({ move }) => move(1),
  k: ({ move }) => move(-1),
  Enter: ({ enter }) => enter(),
  Escape: ({ leave }) => leave(),
  '/': ({ search }) => search(),
  '?': ({ help }) => help(),
  z: ({ undo }) => undo(),
  x: ({ select }) => select(false),
  X: ({ select }) => select(true),
}

/** Keys that act on what is shown. They count only once it has been there for a moment: a key typed blindly decides nothing. */
const DECISIONS: Readonly<Record<string, Act>> = {
  e: ({ done }) => done(),
  s: ({ snooze }) => snooze(),
  a: ({ pointAt }) => pointAt('allow'),
  d: ({ pointAt }) => pointAt('deny'),
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, index): [string, Act] => [`${index + 1}`, ({ pointAt }) => pointAt(index)]),
  ),
}

/** Elements that take letters. */
const TEXT =
  'input:not([type=radio], [type=checkbox]), textarea, select, [contenteditable]:not([contenteditable=false])'

/** Elements that act on Enter themselves. The links of the list lead to the form. */
const PRESSED = 'button, summary, input, a:not([data-entry])'

/** Acts on keys that nothing else on the page takes: the form stops its own. */
export function useKeys(actions: KeyActions): void {
  const latest = useRef(actions)
  // With what is shown: a key may come before the browser has time for other effects.
  useLayoutEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { key, target, defaultPrevented, isComposing, repeat } = event
      if (defaultPrevented || isComposing || event.ctrlKey || event.metaKey || event.altKey) return
      const element = target instanceof Element ? target : document.body
      if (element.closest(TEXT) || document.querySelector('dialog[open]')) return
      if (key === 'Enter' && element.closest(PRESSED)) return
      const decides = own(DECISIONS, key)
      const act = decides ?? own(ACTIONS, key)
      if (!act) return
      const isBlind = repeat || hasJustArrived()
      const isIgnored = decides ? isBlind : key === 'Enter' && (repeat || isHasty())
      if (isIgnored) noteHaste()
      if (isIgnored || act(latest.current) !== false) event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

const own = (actions: Readonly<Record<string, Act>>, key: string): Act | undefined =>
  Object.hasOwn(actions, key) ? actions[key] : undefined
