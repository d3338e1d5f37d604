import { useEffect, useState } from 'react'
import type { WaitingQuestion } from '../page/waiting-questions.ts'

/** How much of an element must be visible to be in sight, in pixels. */
const VISIBLE_PX = 48

const THRESHOLDS = Array.from({ length: 21 }, (_, index) => index / 20)

/** Those of the questions that are scrolled away. */
export function useOutOfSight(questions: readonly WaitingQuestion[]): WaitingQuestion[] {
  const [outOfSight, setOutOfSight] = useState<ReadonlySet<Element>>(new Set())
  useEffect(() => {
    if (typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(
      (entries) =>
        setOutOfSight((before) => {
          const next = new Set(before)
          for (const { target, intersectionRect, boundingClientRect } of entries) {
            const isInSight = intersectionRect.height >= Math.min(VISIBLE_PX, boundingClientRect.height)
            if (isInSight && boundingClientRect.height > 0) next.delete(target)
            else next.add(target)
          }
          return next
        }),
      { threshold: THRESHOLDS },
    )
    for (const { element } of questions) observer.observe(element)
    return () => observer.disconnect()
  }, [questions])
  return questions.filter(({ element }) => outOfSight.has(element))
}
