import { type FocusEvent, useState } from 'react'

/** What in the form has the focus: it decides which keys work. `page`: nothing, and keys of the page work. */
export type FocusedKind =
  | 'radio'
  | 'checkbox'
  | 'text'
  | 'line'
  | 'search'
  | 'button'
  | 'menu'
  | 'place'
  | 'page'

const KINDS: readonly (readonly [selector: string, kind: FocusedKind])[] = [
  ['[type=radio]', 'radio'],
  ['[type=checkbox]', 'checkbox'],
  ['[type=search]', 'search'],
  ['textarea', 'text'],
  ['input', 'line'],
  ['select', 'menu'],
  ['button, a, summary, .sa-preview', 'button'],
  // Where the form led the focus itself, such as the review.
  ['*', 'place'],
]

interface FocusedKindState {
  kind: FocusedKind | null
  handlers: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void }
}

/** Follows the focus in the form. `null` while it is elsewhere. */
export function useFocusedKind(): FocusedKindState {
  const [kind, setKind] = useState<FocusedKind | null>(null)
  return {
    kind,
    handlers: {
      onFocus: ({ target }) => setKind(KINDS.find(([selector]) => target.matches(selector))?.[1] ?? null),
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setKind(null)
      },
    },
  }
}
