import type { ReactElement } from 'react'
import type { ButtonProps } from '../state/ask-form.ts'

/** Every button of the form. */
export function Button({ look = 'plain', className = '', ...attributes }: ButtonProps): ReactElement {
  return <button type="button" className={`sa-button sa-${look} ${className}`} {...attributes} />
}
