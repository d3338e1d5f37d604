import type { ReactElement, TextareaHTMLAttributes } from 'react'

const MOST_ROWS = 8

interface TextAreaProps extends TextareaHTMLAttributes<HTMLTextAreaElement> {
  value: string
  onText: (text: string) => void
}

/** A text field that grows with its lines. */
export function TextArea({ onText, ...attributes }: TextAreaProps): ReactElement {
  const lines = attributes.value.split('\n').length
  return (
    <textarea
      className="sa-input"
      // An empty field has the direction of the page.
      {...(attributes.value !== '' && { dir: 'auto' })}
      rows={Math.min(lines, MOST_ROWS)}
      onChange={(event) => onText(event.target.value)}
      {...attributes}
    />
  )
}
