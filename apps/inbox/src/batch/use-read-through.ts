import { type RefObject, useEffect, useState } from 'react'
import { readUpTo } from '../keys/reading.ts'

/** How far a person has read each element, in pixels from its top. */
type Reached = Map<string, number>

/**
 * Tells which elements have been in sight from their top to their end: every part of them, one after the other. A jump over a
 * part does not count.
 *
 * @param pane the element that scrolls. What is read has its key in `data-read`
 * @param keys what is to be read
 */
export function useReadThrough(
  pane: RefObject<HTMLElement | null>,
  keys: readonly string[],
): ReadonlySet<string> {
  const [read, setRead] = useState<ReadonlySet<string>>(new Set())
  const wanted = JSON.stringify(keys)
  // biome-ignore lint/correctness/useExhaustiveDependencies: others are to be read
  useEffect(() => {
    const element = pane.current
    if (!element) return
    const reached: Reached = new Map()
    const look = (): void => {
      if (document.visibilityState !== 'visible') return
      const done = follow(element, reached)
      setRead((before) => {
        const fresh = done.filter((key) => !before.has(key))
        return fresh.length === 0 ? before : new Set([...before, ...fresh])
      })
    }
    const forget = (): void => {
      reached.clear()
      look()
    }
    // Another width breaks lines elsewhere: what is half read is read again.
    const resized = new ResizeObserver(forget)
    for (const each of [element, ...element.querySelectorAll('[data-read]')]) resized.observe(each)
    element.addEventListener('scroll', look, { passive: true })
    document.addEventListener('visibilitychange', look)
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [pane, wanted])
  return read
}

/** Notes what is in sight. Returns the keys of all that has been read to its end. */
function follow(pane: HTMLElement, reached: Reached): string[] {
  const sight = pane.getBoundingClientRect()
  return [...pane.querySelectorAll<HTMLElement>('[data-read]')].flatMap((element) => {
    const place = element.getBoundingClientRect()
    const key = element.dataset.read ?? ''
    const now = readUpTo(reached.get(key) ?? 0, place, sight)
    reached.set(key, now)
    return place.height > 0 && now >= place.height - 1 ? [key] : []
  })
}
