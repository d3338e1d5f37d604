import { SCROLL_PAUSE_MS } from '../../timing.ts'

export interface ShiftObserver {
  /** Compares the places now. */
  check(): void
  stop(): void
}

const INPUTS = ['wheel', 'touchmove', 'keydown'] as const

/**
 * Notices that the options or buttons of a form moved, in the form or on the screen. A person who scrolls moves them on
 * purpose: that does not count.
 */
export function observeShifts(form: HTMLElement, onShift: () => void): ShiftObserver {
  const document = form.ownerDocument
  let places = placesIn(form)
  const check = (): void => {
    const before = places
    places = placesIn(form)
    if (places !== before && before !== '' && places !== '') onShift()
  }

  let scrolledAt = Number.NEGATIVE_INFINITY
  const isScrolling = (): boolean => performance.now() - scrolledAt < SCROLL_PAUSE_MS
  const onInput = (): void => {
    scrolledAt = performance.now()
  }
  // A page goes on scrolling for a while after the fingers have left it.
  const onScroll = (): void => {
    if (isScrolling()) onInput()
  }
  const listening = { capture: true, passive: true }
  for (const type of INPUTS) document.addEventListener(type, onInput, listening)
  document.addEventListener('scroll', onScroll, listening)

  const sizes = globalThis.ResizeObserver && new ResizeObserver(check)
  sizes?.observe(form)
  const stopPlace = observePlace(form, () => isScrolling() || onShift())
  return {
    check,
    stop() {
      for (const type of INPUTS) document.removeEventListener(type, onInput, listening)
      document.removeEventListener('scroll', onScroll, listening)
      sizes?.disconnect()
      stopPlace()
    },
  }
}

/** Where options and buttons are in the form. What takes no room is left out. */
const placesIn = (form: HTMLElement): string =>
  [...form.querySelectorAll<HTMLElement>('.sa-option, .sa-actions button')]
    .filter(({ offsetHeight }) => offsetHeight > 0)
    .map(({ offsetLeft, offsetTop }) => `${offsetLeft} ${offsetTop}`)
    .join()

const STEPS = Array.from({ length: 101 }, (_, n) => n / 100)

/**
 * Calls back when an element moves on the screen. Browsers have no event for that: an intersection observer whose root
 * fits the element exactly notices it.
 */
function observePlace(element: HTMLElement, onMove: () => void): () => void {
  if (!globalThis.IntersectionObserver) return () => {}
  let observer: IntersectionObserver | undefined
  const watch = (): void => {
    observer?.disconnect()
    const { ownerDocument: document } = element
    const { clientWidth, clientHeight } = document.documentElement
    const { top, left, right, bottom } = element.getBoundingClientRect()
    const insets = [top, clientWidth - right, clientHeight - bottom, left]
    let isFirst = true
    observer = new IntersectionObserver(
      () => {
        if (!isFirst && element.getBoundingClientRect().top !== top) onMove()
        if (!isFirst) watch()
        isFirst = false
      },
      { root: document, rootMargin: insets.map((px) => `${-Math.floor(px)}px`).join(' '), threshold: STEPS },
    )
    observer.observe(element)
  }
  watch()
  return () => observer?.disconnect()
}
