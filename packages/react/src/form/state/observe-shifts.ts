// Why it is so: docs/decisions/0055-what-moves-is-not-picked.md

/** A person scrolls until wheel, finger or key have been still for this long, and the next frame has come. */
const SCROLL_PAUSE_MS = 200

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

  let isScrolling = false
  let pause: ReturnType<typeof setTimeout> | undefined
  let frame = 0
  const cancelEnd = (): void => {
    clearTimeout(pause)
    cancelAnimationFrame(frame)
  }
  const onInput = (): void => {
    cancelEnd()
    isScrolling = true
    // On a busy page, what a person scrolled may move with the next frame only.
    pause = setTimeout(() => {
      frame = requestAnimationFrame(() => {
        isScrolling = false
      })
    }, SCROLL_PAUSE_MS)
  }
  // A page goes on scrolling for a while after the fingers have left it.
  const onScroll = (): void => {
    if (isScrolling) onInput()
  }
  const listening = { capture: true, passive: true }
  for (const type of INPUTS) document.addEventListener(type, onInput, listening)
  document.addEventListener('scroll', onScroll, listening)

  const sizes = globalThis.ResizeObserver && new ResizeObserver(check)
  sizes?.observe(form)
  const place = observePlace(form, (isInPage) => (isScrolling && !isInPage) || onShift())
  return {
    check() {
      check()
      place.check()
    },
    stop() {
      cancelEnd()
      for (const type of INPUTS) document.removeEventListener(type, onInput, listening)
      document.removeEventListener('scroll', onScroll, listening)
      sizes?.disconnect()
      place.stop()
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
 * Calls back when an element moves on the screen, and tells whether it also moved in the page: scrolling does not do that.
 * Browsers have no event for that: an intersection observer whose root fits the element exactly notices it, but not
 * before the next frame. `check` notices at once what moved in the page.
 */
function observePlace(element: HTMLElement, onMove: (isInPage: boolean) => void): ShiftObserver {
  let observer: IntersectionObserver | undefined
  let last = offsetOf(element)
  const compare = (countsScrolling: boolean): void => {
    const before = last
    const now = offsetOf(element)
    const isInPage = Math.abs(now.inPage - before.inPage) > 1
    if (!isInPage && !countsScrolling) return
    last = now
    if (now.onScreen !== before.onScreen) onMove(isInPage)
  }
  const watch = (): void => {
    observer?.disconnect()
    compare(true)
    if (!globalThis.IntersectionObserver) return
    const { ownerDocument: document } = element
    const { clientWidth, clientHeight } = document.documentElement
    const { top, left, right, bottom } = element.getBoundingClientRect()
    const insets = [top, clientWidth - right, clientHeight - bottom, left]
    let isFirst = true
    observer = new IntersectionObserver(
      () => {
        const before = last.onScreen
        compare(true)
        if (!isFirst || last.onScreen !== before) watch()
        isFirst = false
      },
      { root: document, rootMargin: insets.map((px) => `${-Math.floor(px)}px`).join(' '), threshold: STEPS },
    )
    observer.observe(element)
  }
  watch()
  return { check: () => compare(false), stop: () => observer?.disconnect() }
}

/** How far down an element is on the screen, and in the page as it would be if nothing were scrolled. */
function offsetOf(element: Element): { onScreen: number; inPage: number } {
  const { top } = element.getBoundingClientRect()
  let inPage = top
  for (let around = parentOf(element); around; around = parentOf(around)) inPage += around.scrollTop
  return { onScreen: top, inPage }
}

const parentOf = (element: Element): Element | null => {
  const { parentNode } = element
  return parentNode instanceof ShadowRoot ? parentNode.host : element.parentElement
}
