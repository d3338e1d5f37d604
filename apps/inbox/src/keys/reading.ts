import { type RefObject, useEffect } from 'react'

/** Where something is, or what a pane shows, in pixels of the window. */
interface Span {
  top: number
  bottom: number
}

/**
 * How far something has been read once this much is in sight, in pixels from its top. What was in sight has to go on where
 * it ended: a jump over a part does not count.
 *
 * @param before how far it was read before
 */
export function readUpTo(before: number, { top, bottom }: Span, sight: Span): number {
  const [from, to] = [sight.top - top, Math.min(bottom, sight.bottom) - top]
  return from <= before + 1 && to > before ? to : before
}

/** How far the texts of forms have been read. Another width breaks lines elsewhere: they are read again. */
const read = new WeakMap<Element, { upTo: number; width: number }>()

/** Follows how far a person reads a form while its pane scrolls. */
export function useReading(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const form = place.current
    const pane = form?.closest<HTMLElement>('.question')
    if (!form || !pane) return
    const look = (): void => void lookAt(form, pane)
    const resized = new ResizeObserver(look)
    for (const element of [form, pane]) resized.observe(element)
    pane.addEventListener('scroll', look, { passive: true })
    return () => {
      resized.disconnect()
      pane.removeEventListener('scroll', look)
    }
  }, [place])
}

/** How much of a screen stays in sight when the next one is shown. */
export const OVERLAP = 0.15

/**
 * Shows what a form asks about. What is taller than the screen is shown screen by screen, one for each call, from where the
 * person has read it: nobody permits the rest of a call unseen.
 *
 * @returns whether the person had read it to its end, or all of it is in sight now
 */
export function showNext(form: HTMLElement, pane: HTMLElement): boolean {
  const now = lookAt(form, pane)
  if (!now || now.isRead) return true
  const { body, sight, upTo } = now
  const height = sight.bottom - sight.top
  const fits = body.bottom - body.top <= height
  if (form.offsetHeight <= pane.clientHeight) form.scrollIntoView({ block: 'nearest' })
  else {
    const start = fits ? 0 : Math.max(0, upTo - height * OVERLAP)
    pane.scrollBy({ top: body.top + start - sight.top })
  }
  return (lookAt(form, pane)?.isRead ?? false) && fits
}

/** Notes what is in sight. The bar with the buttons stays in sight, and covers what is behind it. */
function lookAt(form: HTMLElement, pane: HTMLElement) {
  const element = form.querySelector('.sa-body')
  if (!element) return null
  const body = element.getBoundingClientRect()
  const { top, bottom } = pane.getBoundingClientRect()
  const bar = form.querySelector('.sa-footer')?.getBoundingClientRect().top ?? bottom
  const sight = { top, bottom: Math.min(bottom, bar) }
  const { width } = body
  const before = read.get(element)
  const upTo = readUpTo(before?.width === width ? before.upTo : 0, body, sight)
  read.set(element, { upTo, width })
  return { body, sight, upTo, isRead: body.height > 0 && upTo >= body.height - 1 }
}
