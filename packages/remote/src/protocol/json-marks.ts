/**
 * Whether a JSON text has at most so many brackets, commas and colons outside of its strings. `JSON.parse` takes seconds and a
 * gigabyte for 8 MiB of brackets, so that foreign texts are counted first.
 */
export function hasFewMarks(text: string, most: number): boolean {
  let marks = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at + 1)
    else if (MARKS.has(code) && ++marks > most) return false
  }
  return true
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const MARKS: ReadonlySet<number> = new Set(Array.from('[]{},:', (mark) => mark.charCodeAt(0)))

function endOfString(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at
    if (code === BACKSLASH) at++
  }
  return text.length
}
