import { type RefObject, useEffect, useState } from 'react'

interface OverflowOptions {
  /** What decides what the element holds, such as the renderer of its text: the elements in it are others then. */
  content: unknown
  /** Keeps its answer while it is false. */
  isOn?: boolean
  /** How many pixels do not count: parts of a pixel are rounded. */
  slack?: number
}

/** Whether an element holds more than it shows. */
export function useOverflow(
  box: RefObject<HTMLElement | null>,
  { content, isOn = true, slack = 0 }: OverflowOptions,
): boolean {
  const [isLarger, setLarger] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content has other elements
  useEffect(() => {
    const element = box.current
    if (!element || !isOn || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() =>
      setLarger(
        element.scrollHeight > element.clientHeight + slack ||
          element.scrollWidth > element.clientWidth + slack,
      ),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [box, content, isOn, slack])
  return isLarger
}
