import type { ReactNode } from 'react'
import { englishShortcuts, type ShortcutLabels } from '../labels/shortcut-labels.ts'
import type { AskForm, FormPartProps } from '../state/ask-form.ts'

type Shortcut = keyof ShortcutLabels

/** The keyboard shortcuts that work where the focus is. */
export const ShortcutList = ({ form }: FormPartProps): ReactNode =>
  shortcutsOf(form)
    .map((name) => shortcutIn(form, name))
    .map(([keys, meaning]) => (
      <span key={keys}>
        <kbd dir="ltr">{keys}</kbd> {meaning}
      </span>
    ))

/** Numbers end at the last option, or at the last number of a rating. */
function shortcutIn({ ask, labels, isStepwise, step }: AskForm, name: Shortcut): readonly [string, string] {
  const [keys, meaning] = { ...englishShortcuts, ...labels.shortcuts }[name]
  if (name !== 'pick') return [keys, meaning]
  const shown = isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const most = Math.max(
    ...shown.map(({ options = [], typed }) => options.length || (typed && 'max' in typed && typed.max) || 0),
  )
  return [most < 9 ? keys.replace('1–9', most > 1 ? `1–${most}` : '1') : keys, meaning]
}

/** What has the focus. The first that fits counts. */
const KINDS = [
  ['[type=radio]', 'radio'],
  ['[type=checkbox]', 'checkbox'],
  ['[type=search]', 'search'],
  ['textarea', 'text'],
  ['input', 'line'],
  ['select', 'menu'],
  ['button, a, summary, .sa-preview', 'button'],
  // Where the form led the focus itself, such as the review.
  ['*', 'place'],
] as const

function kindOf(focused: NonNullable<AskForm['focused']>) {
  return focused === 'page' ? focused : KINDS.find(([selector]) => focused.matches(selector))?.[1]
}

function shortcutsOf(form: AskForm): Shortcut[] {
  const { ask, isStepwise, isReview, isDeclining, step } = form
  const focused = form.focused && kindOf(form.focused)
  if (!focused || ask.isSubmitting) return []
  if (isDeclining) return ['stay']
  if (ask.sendsAt !== null) return focused === 'button' ? ['undo'] : ['send', 'undo']
  const [enter, controlEnter] =
    isStepwise && !isReview ? (['go', 'goFromMany'] as const) : (['send', 'sendFromMany'] as const)
  const shown = isReview ? [] : isStepwise ? ask.questions.slice(step, step + 1) : ask.questions
  const only = shown.length === 1 ? shown[0] : undefined
  const pick = only?.options?.length ? (['pick'] as const) : []
  const steps = isStepwise ? (['steps'] as const) : []
  const note = only ? (['note'] as const) : []
  switch (focused) {
    case 'text':
      return [enter, 'line', 'escape']
    case 'line':
      return [enter, 'escape']
    case 'search':
      return ['find', controlEnter]
    case 'menu':
      return [controlEnter, 'escape']
    case 'radio': {
      const sends = only && form.sendsOnPick(only)
      return ['pick', 'move', sends ? 'send' : isStepwise ? 'go' : controlEnter, 'note', 'escape']
    }
    case 'checkbox':
      return ['pick', 'move', 'check', controlEnter, 'note', 'escape', ...steps]
    case 'button':
      return [...pick, ...steps, controlEnter, ...note, 'escape']
    case 'page':
      return [...pick, ...note]
    case 'place':
      return [enter, ...pick, ...steps, ...note, 'escape']
  }
}
