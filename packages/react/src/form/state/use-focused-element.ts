import { type FocusEvent, useState } from 'react'

interface FocusedElement {
  element: Element | null
  handlers: { onFocus(event: FocusEvent): void; onBlur(event: FocusEvent): void }
}

/** Follows the focus in the form. `null` while it is elsewhere. */
export function useFocusedElement(): FocusedElement {
  const [element, setElement] = useState<Element | null>(null)
  return {
    element,
    handlers: {
      onFocus: ({ target }) => setElement(target),
      onBlur: ({ relatedTarget, currentTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setElement(null)
      },
    },
  }
}
