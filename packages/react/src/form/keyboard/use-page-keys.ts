import { type RefObject, useEffect, useRef, useState } from 'react'
import { getWaitingQuestions, useWaitingQuestions } from '../../page/waiting-questions.ts'
import { guardLostTyping, isTaken } from './lost-typing.ts'

/**
 * Listens to the keys of the page for a form that does not have the focus. Only the first waiting question of the page
 * listens, and only while nothing that takes keys has the focus.
 *
 * @param onKey called for a key without modifiers
 * @returns whether such keys work now
 */
export function usePageKeys(
  isEnabled: boolean,
  root: RefObject<HTMLElement | null>,
  onKey: (event: KeyboardEvent) => void,
): boolean {
  const [isFree, setFree] = useState(true)
  const isFirst = firstOf(useWaitingQuestions())?.element === root.current
  const latest = useRef(onKey)
  useEffect(() => {
    latest.current = onKey
  })
  useEffect(guardLostTyping, [])
  useEffect(() => {
    if (!isEnabled) return
    const leaving = new AbortController()
    const { signal } = leaving
    document.addEventListener(
      'keydown',
      (event) => {
        if (root.current && isForPage(event, root.current)) latest.current(event)
      },
      { signal },
    )
    document.addEventListener('focusin', (event) => setFree(!isTaken(event)), { signal })
    document.addEventListener('focusout', () => setFree(true), { signal })
    return () => leaving.abort()
  }, [isEnabled, root])
  return isEnabled && isFree && isFirst
}

const firstOf = (waiting: ReturnType<typeof getWaitingQuestions>) =>
  waiting.find(({ kind }) => kind === 'question')

function isForPage(event: KeyboardEvent, form: HTMLElement): boolean {
  const { ctrlKey, metaKey, altKey, shiftKey, repeat, isComposing, defaultPrevented } = event
  if (ctrlKey || metaKey || altKey || shiftKey || repeat || isComposing || defaultPrevented) return false
  if (firstOf(getWaitingQuestions())?.element !== form) return false
  const dialogs = [...document.querySelectorAll('dialog[open], [aria-modal=true]')]
  const isInForm = event.composedPath().includes(form)
  return !isInForm && !isTaken(event) && dialogs.every((dialog) => dialog.contains(form))
}
