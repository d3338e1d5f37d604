import { type RefObject, useEffect, useRef } from 'react'

/** How far from its place, in pixels, counts as reading along. */
const NEAR = 160

/** Space kept above a question, in pixels. */
const ABOVE = 16

/** What a reader does to scroll. Browsers scroll by themselves, too, where content shrinks. */
const BY_READERS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const

/**
 * Keeps a scrolled element at its end as `content` grows, but never past the beginning of an open question. A reader
 * who scrolled away is left in peace, and so is one who answers, until the answer is sent.
 */
export function useStickToBottom(content: unknown): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  const isByReader = useRef(false)
  const wasAsked = useRef(false)

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const leaving = new AbortController()
    const options = { passive: true, signal: leaving.signal }
    for (const type of BY_READERS)
      element.addEventListener(
        type,
        () => {
          isByReader.current = true
        },
        options,
      )
    const note = (): void => {
      if (isByReader.current) isNear.current = Math.abs(placeIn(element) - element.scrollTop) < NEAR
    }
    element.addEventListener('scroll', note, options)
    return () => leaving.abort()
  }, [])

  // What is there already grows, too: previews are loaded, and a form becomes a summary.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is another thing to observe
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      const { activeElement } = document
      const form = element.querySelector('form')
      if (wasAsked.current && !form && element.contains(activeElement)) isNear.current = true
      wasAsked.current = form !== null
      if (!isNear.current || form?.contains(activeElement)) return
      element.scrollTo({ top: placeIn(element) })
      isByReader.current = false
    })
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [content])

  return ref
}

/** Where to read on: the end, or the open question that does not fit below its beginning. */
function placeIn(element: HTMLElement): number {
  const end = element.scrollHeight - element.clientHeight
  const form = element.querySelector('form')
  const question = form?.closest('section')
  if (!question) return end
  const { top } = question.getBoundingClientRect()
  return Math.min(end, element.scrollTop + top - element.getBoundingClientRect().top - ABOVE)
}
