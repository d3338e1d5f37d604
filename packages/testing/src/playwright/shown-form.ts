import type { PageElement } from './page-types.ts'

interface ShownQuestion {
  /** Its place among all questions of the form. */
  position: number
  title: string
  options: { label: string; value: string; isChecked: boolean }[]
  isMultiple: boolean
  /** The words of one's own, as a draft may have restored them, by field: a range has two, a rating none. */
  typed: string[]
}

export interface ShownForm {
  /** Its `data-status`. */
  status: string
  /** What it says about the answer. */
  state: string
  /** The questions that are shown now: one of them in a form with steps, none before the answers are sent. */
  questions: ShownQuestion[]
  /** Its heading: of an approval, the question. */
  title: string
  /** Whether it asks for the approval of a tool: then buttons decide. */
  isApproval: boolean
  /** Whether a pick is being sent by itself, after a moment to undo it. */
  isSendingSoon: boolean
  problem: string
}

/** Runs in the page: reads what a form shows. */
export function readForm(form: PageElement): ShownForm {
  const textOf = (from: PageElement, selector: string): string =>
    from.querySelector(selector)?.textContent?.replace(/\s+/g, ' ').trim() ?? ''
  return {
    status: form.dataset.status ?? '',
    state: textOf(form, '[role=status]'),
    questions: [...form.querySelectorAll('.sa-question')].map((question) => ({
      position: Number(question.dataset.position),
      title: textOf(question, ':scope > :is(legend, label)'),
      options: [...question.querySelectorAll('.sa-option')].map((option) => ({
        label: textOf(option, '.sa-label'),
        value: option.querySelector('input')?.value ?? '',
        isChecked: option.querySelector('input')?.checked === true,
      })),
      isMultiple: question.querySelector('.sa-option [type=checkbox]') !== null,
      typed: [...question.querySelectorAll('.sa-own :is(textarea, input:not(.sa-rate))')].map(
        ({ value = '' }) => value,
      ),
    })),
    title: textOf(form, '.sa-legend'),
    isApproval: form.querySelector('.sa-call') !== null,
    isSendingSoon: form.querySelector('.sa-countdown') !== null,
    problem: textOf(form, '.sa-problem'),
  }
}

/** Runs in the page: sends what waits to be sent. The form may have sent it by now. */
export function sendNow(form: PageElement): void {
  if (form.querySelector('.sa-countdown'))
    [...form.querySelectorAll('.sa-footer .sa-actions button')].at(-1)?.click()
}
