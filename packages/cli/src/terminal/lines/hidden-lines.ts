import { edit, type Field } from '../form/text-field.ts'
import type { Key } from '../keyboard/key.ts'

const EMPTY: Field = { text: '', cursor: 0 }

/**
 * Makes lines of keys, of which the terminal shows nothing.
 *
 * @param onLine called with a line; with `null` where more came with its end: nobody types so, and a part of a pasted secret is
 * none
 */
export function hiddenLines(onLine: (line: string | null) => void): (key: Key) => void {
  let field = EMPTY
  let hasEnded = false
  let isCut = false
  return (key) => {
    if (hasEnded) isCut ||= key.text !== ''
    else if (key.name === 'return' || key.name === 'enter') {
      hasEnded = true
      setImmediate(() => {
        const line = isCut ? null : field.text
        field = EMPTY
        hasEnded = false
        isCut = false
        onLine(line)
      })
    } else field = edit(field, key) ?? field
  }
}
