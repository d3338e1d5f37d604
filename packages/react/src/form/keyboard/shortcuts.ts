import type { KeyboardEvent } from 'react'
import type { AskForm } from '../state/ask-form.ts'

const isText = (element: HTMLElement): boolean =>
  element.matches('textarea, input:not([type=radio], [type=checkbox])')

/**
 * Acts on a key that is pressed in the form. Text fields and radios keep their native keys: arrow keys move and check,
 * and send nothing.
 *
 * @param act runs an action so that its pick counts as made by hand
 */
export function handleShortcut(event: KeyboardEvent, form: AskForm, act: (what: () => void) => void): void {
  const { nativeEvent, repeat } = event
  const target = event.target as HTMLElement
  // Safari reports the Enter that ends a composition as 229.
  if (nativeEvent.isComposing || nativeEvent.keyCode === 229 || event.altKey) return
  const what = actionOf(event, target, form)
  if (what === undefined) return
  event.preventDefault()
  // The page may use Escape to stop the agent, and letters for its own shortcuts.
  event.stopPropagation()
  if (!repeat) act(what)
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** What a key does that is pressed on an element of the form. */
export function actionOf(event: Key, target: HTMLElement, form: AskForm): (() => void) | undefined {
  const { key } = event
  const isInText = isText(target) || target.matches('select')
  if (form.ask.sendsAt !== null) {
    if (key === 'Enter' && !target.matches('button')) return () => form.submit()
    if (key === 'Escape') return form.undo
  }
  if (key === 'Escape') return form.ask.isSubmitting ? undefined : () => form.setDeclining(!form.isDeclining)
  if (form.isDeclining) return undefined
  if (key === 'Enter') {
    if (event.ctrlKey || event.metaKey) return form.goOn
    if (target.matches('button, a, summary, select, .sa-preview') || (isInText && event.shiftKey))
      return undefined
    if (target.matches('[type=search]')) return () => choicesNear(target)[0]?.focus()
    // What is picked already stays picked. A radio that arrow keys checked is picked by it.
    const isPicked = target.matches('[type=checkbox]:checked')
    if (target.matches('[type=radio], [type=checkbox]') && !isPicked) return () => target.click()
    return form.goOn
  }
  if (isInText || event.ctrlKey || event.metaKey) return undefined
  const position = questionElementOf(target)?.getAttribute('data-position') ?? form.step
  const question = form.ask.questions[Number(position)]
  if (/^[1-9]$/.test(key)) return choosing(target, Number(key))
  if (key === 'n' && question) return () => form.openNote(question)
  if (target.matches('[type=checkbox]')) {
    if (key === 'ArrowDown') return () => neighbour(target, 1)?.focus()
    if (key === 'ArrowUp') return () => neighbour(target, -1)?.focus()
  }
  const steps = stepsOf(key, target)
  if (steps === 0 || !form.isStepwise || target.matches('[type=radio], .sa-preview')) return undefined
  return () => form.goTo(Math.min(Math.max(form.step + steps, 0), form.ask.questions.length))
}

/** How many steps an arrow key leads on, in the direction of reading. */
function stepsOf(key: string, target: HTMLElement): number {
  const steps = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  return getComputedStyle(target).direction === 'rtl' ? -steps : steps
}

/** Picks the n-th option in sight. The next number leads to the field for an own answer. */
function choosing(target: HTMLElement, n: number): (() => void) | undefined {
  const choices = choicesNear(target)
  const choice = choices[n - 1]
  if (choice)
    return () => {
      choice.focus()
      choice.click()
    }
  const own = questionElementOf(target)?.querySelector<HTMLElement>('.sa-own :is(textarea, input)')
  return own && n === choices.length + 1 ? () => own.focus() : undefined
}

function neighbour(target: HTMLElement, steps: number): HTMLElement | undefined {
  const choices = choicesNear(target)
  return choices[choices.indexOf(target) + steps]
}

/** The question around an element. For a chip or a button it is the only question that is shown. */
function questionElementOf(target: HTMLElement): Element | null {
  const around = target.closest('[data-position]')
  const shown = target.closest('form')?.querySelectorAll('[data-position]')
  return around ?? (shown?.length === 1 ? (shown[0] as Element) : null)
}

export const choicesNear = (target: HTMLElement): HTMLElement[] => [
  ...(questionElementOf(target)?.querySelectorAll<HTMLElement>(
    '[type=radio]:not(.sa-rate), [type=checkbox]',
  ) ?? []),
]
