import { type RefObject, useEffect, useReducer, useRef } from 'react'

/**
 * Moves the focus as soon as the target is on the page. Only for the person's own actions: a question that arrives leaves
 * the focus alone.
 *
 * @returns takes selectors, the best one first
 */
export function useFocusMove(root: RefObject<HTMLElement | null>): (...selectors: string[]) => void {
  const wanted = useRef<string[]>([])
  // The target may be there already: then nothing else renders.
  const [, render] = useReducer((count: number) => count + 1, 0)
  const move = (): void => {
    const found = wanted.current.map((selector) => root.current?.querySelector<HTMLElement>(selector))
    const element = found.find((candidate) => candidate && !candidate.matches(':disabled'))
    if (!element) return
    wanted.current = []
    // A field that is new has its caret before the text.
    if (element instanceof HTMLTextAreaElement && element !== element.ownerDocument.activeElement)
      element.selectionStart = element.value.length
    element.focus()
  }
  useEffect(move)
  return (...selectors) => {
    wanted.current = selectors
    render()
  }
}
