import { type RefObject, useEffect, useRef } from 'react'

/** How far from its place, in pixels, counts as reading along. */
const NEAR = 160

/** Space kept above a question, in pixels. */
const ABOVE = 16

/**
 * Keeps a scrolled element at its end as `content` grows, but never past the beginning of an open question. A reader
 * who scrolled away is left in peace, and so is one who answers.
 */
export function useStickToBottom(content: unknown): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)
  /** Where this was scrolled to last. What is found there later was no reader's doing, however much has come since. */
  const own = useRef(0)

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const note = (): void => {
      if (element.scrollTop !== own.current)
        isNear.current = Math.abs(placeIn(element) - element.scrollTop) < NEAR
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [])

  // What is there already grows, too: previews are loaded, and a form becomes a summary.
  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is another thing to observe
  useEffect(() => {
    const element = ref.current
    if (!element) return
    const observer = new ResizeObserver(() => {
      if (!isNear.current || element.querySelector('form')?.contains(document.activeElement)) return
      element.scrollTo({ top: placeIn(element) })
      own.current = element.scrollTop
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
