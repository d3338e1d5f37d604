import { type RefObject, useEffect, useRef, useState } from 'react'
import { getWaitingQuestions, useWaitingQuestions } from '../../page/waiting-questions.ts'
import type { AskForm } from '../state/ask-form.ts'
import { openQuestions } from '../state/entries.ts'
import { isTaken } from './lost-typing.ts'
import { actionOf, choicesNear } from './shortcuts.ts'

export interface PageKeyListenerProps {
  form: AskForm
  root: RefObject<HTMLElement | null>
  /** Runs an action so that its pick counts as made by hand. */
  act: (what: () => void) => void
  /** Told whether keys of the page work now. */
  onChange: (works: boolean) => void
}

/**
 * Listens to the keys of the page for a form that does not have the focus. Only the first waiting question of the page
 * listens, and only while nothing that takes keys has the focus.
 */
export function PageKeyListener(props: PageKeyListenerProps): null {
  const { root, onChange } = props
  const [isFree, setFree] = useState(true)
  const isFirst = firstOf(useWaitingQuestions())?.element === root.current
  const works = isFree && isFirst
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    onChange(works)
    return () => onChange(false)
  }, [works, onChange])
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    document.addEventListener(
      'keydown',
      (event) => {
        const { form, act } = latest.current
        const what =
          root.current && isForPage(event, root.current) && pageActionOf(event.key, root.current, form)
        if (!what) return
        event.preventDefault()
        act(what)
      },
      { signal },
    )
    document.addEventListener('focusin', (event) => setFree(!isTaken(event)), { signal })
    document.addEventListener('focusout', () => setFree(true), { signal })
    return () => leaving.abort()
  }, [root])
  return null
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

/**
 * What a key without modifiers does while something outside of the form has the focus. Options out of sight are shown first:
 * nobody picks what they do not see. Where several questions are shown, the first key leads to the one that needs an answer.
 * The next key picks there: nobody has to guess which question a number means.
 */
function pageActionOf(key: string, root: HTMLElement, form: AskForm): (() => void) | undefined {
  const place = root.querySelector<HTMLFormElement>('form')
  const isReady = place?.querySelector('.sa-fields:enabled') && root.dataset.settling === undefined
  if (!place || !isReady || !/^[1-9n]$/.test(key)) return undefined
  if (place.querySelectorAll('[data-position]').length > 1) return leading(form)
  const what = actionOf({ key, ctrlKey: false, metaKey: false, shiftKey: false }, place, form)
  const choice = choicesNear(place)[Number(key) - 1]
  if (!what || !choice || isInSight(choice.closest('label') ?? choice, root)) return what
  return () => form.goTo(form.step)
}

/** Leads to the first question that needs an answer. Nothing if that would end what the person has begun. */
function leading(form: AskForm): (() => void) | undefined {
  const { questions, sendsAt } = form.ask
  const [open] = openQuestions(form.ask)
  if (form.isDeclining || sendsAt !== null) return undefined
  return () => form.goTo(open ? questions.indexOf(open) : form.step)
}

function isInSight(element: HTMLElement, root: HTMLElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  const there = document.elementFromPoint(left + width / 2, top + height / 2)
  return there !== null && root.contains(there)
}
