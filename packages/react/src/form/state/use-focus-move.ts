import { type RefObject, useEffect, useRef } from 'react'

/**
 * Moves the focus once what it shall go to is on the page. Only for what follows a person's own act: a question that
 * arrives leaves the focus where it is.
 *
 * @returns takes selectors, the best first
 */
export function useFocusMove(root: RefObject<HTMLElement | null>): (...selectors: string[]) => void {
  const wanted = useRef<string[]>([])
  const move = (): void => {
    const found = wanted.current.map((selector) => root.current?.querySelector<HTMLElement>(selector))
    const element = found.find((candidate) => candidate && !candidate.matches(':disabled'))
    if (!element) return
    wanted.current = []
    element.focus()
  }
  useEffect(move)
  return (...selectors) => {
    wanted.current = selectors
  }
}
