import { type ReactElement, type TextareaHTMLAttributes, useEffect, useRef } from 'react'

/** A text field that grows with its text. */
export function TextArea(attributes: TextareaHTMLAttributes<HTMLTextAreaElement>): ReactElement {
  const field = useRef<HTMLTextAreaElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text needs another height
  useEffect(() => fitToText(field.current), [attributes.value])
  return (
    <textarea
      ref={field}
      className="sa-input"
      // An empty field has the direction of the page.
      {...(attributes.value !== '' && { dir: 'auto' })}
      rows={1}
      {...attributes}
    />
  )
}

/** Sets the height where the browser does not do that itself. A strict policy of the page allows it. */
function fitToText(field: HTMLTextAreaElement | null): void {
  if (!field || !globalThis.CSS?.supports || CSS.supports('field-sizing', 'content')) return
  field.style.height = 'auto'
  field.style.height = `${field.scrollHeight + field.offsetHeight - field.clientHeight}px`
}
