import { OVERLAP, showNext } from './reading.ts'

/**
 * Moves the focus to a button that decides: Enter presses it then. No letter decides by itself, and what allows is pointed at
 * only once the call was read to its end.
 *
 * @param what `allow`: the narrowest permission; `deny`: the refusal; a number: that button of an approval
 * @returns whether there is such a button
 */
export function pointAt(what: 'allow' | 'deny' | number): boolean {
  const pane = document.querySelector<HTMLElement>('.question')
  if (!pane) return false
  const isQuestion = pane.querySelector('form .sa-fields') !== null
  if (isQuestion && typeof what === 'number') return false
  // The form of a question asks first whether to decline, and for a reason.
  if (isQuestion && what === 'deny' && !pane.querySelector('.sa-decline')) {
    buttonsIn(pane)[0]?.click()
    requestAnimationFrame(() => void pointAt(what))
    return true
  }
  const button =
    typeof what === 'number'
      ? buttonsIn(pane)[what]
      : buttonsIn(pane).find(({ dataset }) => (dataset.decision === 'deny') === (what === 'deny'))
  if (!button) return false
  const isDenial = button.dataset.decision === 'deny'
  const calls = pane.querySelector('.batch-calls')
  if (calls) {
    // Of several calls, each has to be read to its end.
    if (button.disabled) calls.scrollBy({ top: calls.clientHeight * (1 - OVERLAP) })
    else button.focus()
    return true
  }
  if (button.disabled) return true
  if (!isDenial && !showNext(button.closest<HTMLElement>('.sa-ask') ?? pane, pane)) return true
  if (isDenial) button.scrollIntoView({ block: 'nearest' })
  button.focus({ preventScroll: true })
  return true
}

const buttonsIn = (pane: HTMLElement): HTMLButtonElement[] => [
  ...pane.querySelectorAll<HTMLButtonElement>('.sa-actions [data-decision]'),
]
