import { type RefObject, useEffect, useRef } from 'react'

/** How far from its place, in pixels, counts as reading along. */
const NEAR = 160

/** Space kept above a question, in pixels. */
const ABOVE = 16

/**
 * Keeps a scrolled element at its end as `content` grows, but never past the beginning of an open question. A reader
 * who scrolled away is left in peace.
 */
export function useStickToBottom(content: unknown): RefObject<HTMLDivElement | null> {
  const ref = useRef<HTMLDivElement>(null)
  const isNear = useRef(true)

  useEffect(() => {
    const element = ref.current
    if (!element) return
    const note = (): void => {
      isNear.current = Math.abs(placeIn(element) - element.scrollTop) < NEAR
    }
    element.addEventListener('scroll', note, { passive: true })
    return () => element.removeEventListener('scroll', note)
  }, [])

  // biome-ignore lint/correctness/useExhaustiveDependencies: new content is the reason to scroll
  useEffect(() => {
    if (isNear.current) ref.current?.scrollTo({ top: placeIn(ref.current) })
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
