import { type RefObject, useEffect, useRef } from 'react'

/** How far from the end a reader may be, in pixels, and still follow it. */
const NEAR = 160

/** Space kept above a question, in pixels. */
const ABOVE = 16

/** The events by which readers may scroll. Browsers also scroll by themselves when content shrinks. */
const BY_READERS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const
const SCROLL_KEYS = ['ArrowUp', 'ArrowDown', 'PageUp', 'PageDown', 'Home', 'End', ' ']

/**
 * Keeps a scrolled element at its end as `content` grows, but never past the beginning of a waiting question. It does not
 * move while a reader has scrolled away, or answers.
 */
export function useStickToBottom(
  content: unknown,
  question: HTMLElement | undefined,
): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const isByReader = useRef(false)
  const asked = useRef<HTMLElement | undefined>(undefined)

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const leaving = new AbortController()
    const options = { passive: true, signal: leaving.signal }
    for (const type of BY_READERS)
      element.addEventListener(
        type,
        (event) => {
          if (scrolls(event, asked.current)) isByReader.current = true
        },
        options,
      )
    const note = (): void => {
      if (isByReader.current)
        isNear.current = Math.abs(placeIn(element, asked.current) - element.scrollTop) < NEAR
    }
    element.addEventListener('scroll', note, options)
    return () => leaving.abort()
  }, [])

  // Existing content grows, too: previews are loaded, and a form becomes a summary.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is another thing to observe
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { activeElement } = document
      const isAnswered = asked.current !== undefined && asked.current !== question
      if (isAnswered && element.contains(activeElement)) isNear.current = true
      asked.current = question
      if (!isNear.current || question?.contains(activeElement)) return
      element.scrollTo({ top: placeIn(element, question) })
      isByReader.current = false
    })
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [content, question])

  return ref
}

/** Whether a reader scrolls by this event: a press of a button, or a key in the question, is none. */
function scrolls(event: Event, question: HTMLElement | undefined): boolean {
  if (event instanceof KeyboardEvent)
    return SCROLL_KEYS.includes(event.key) && !question?.contains(event.target as Node)
  // A scroll bar belongs to the element itself.
  return event.type !== 'pointerdown' || event.target === event.currentTarget
}

/** The position to read on: the end, or the beginning of a waiting question that does not fit. */
function placeIn(element: HTMLElement, question: HTMLElement | undefined): number {
  const end = element.scrollHeight - element.clientHeight
  if (!question) return end
  const { top } = question.getBoundingClientRect()
  return Math.min(end, element.scrollTop + top - element.getBoundingClientRect().top - ABOVE)
}
