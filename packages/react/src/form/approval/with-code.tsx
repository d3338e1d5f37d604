import { visible } from '@sandagent/core/internal'
import type { ReactNode } from 'react'

/** A text of the host, such as what a permission covers, in which backticks mark what is code. */
export const withCode = (text: string): ReactNode[] =>
  text.split('`').map((part, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is its position
    return index % 2 === 1 ? <code key={index}>{visible(part)}</code> : visible(part)
  })
