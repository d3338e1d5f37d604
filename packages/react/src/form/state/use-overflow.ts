import { type RefObject, useEffect, useState } from 'react'

/** Whether an element holds more than it shows. It keeps its answer while `isOn` is false. */
export function useOverflow(box: RefObject<HTMLElement | null>, isOn = true): boolean {
  const [isLarger, setLarger] = useState(false)
  useEffect(() => {
    const element = box.current
    if (!element || !isOn || typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(() =>
      setLarger(
        element.scrollHeight > element.clientHeight + 1 || element.scrollWidth > element.clientWidth + 1,
      ),
    )
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    return () => observer.disconnect()
  }, [box, isOn])
  return isLarger
}
