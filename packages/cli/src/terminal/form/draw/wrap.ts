import { printable } from '@sandagent/core/internal'
import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

/** The lines of a text that may hold colours, none wider than `width`. */
export const wrap = (text: string, width: number): string[] =>
  text
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap(piecesOf)
    .flatMap((piece) => wrapAnsi(piece, Math.max(1, width), { hard: true, trim: false }).split('\n'))
    .map((line) => line.trimEnd())

/**
 * A long line is wrapped in pieces that end between words: otherwise the time would grow with the square of its length. Colours
 * stay whole.
 */
const piecesOf = (line: string): readonly string[] =>
  line.length <= 2000 || line.includes('\u001b')
    ? [line]
    : (line.match(/.{1,2000}(?=\s|$)|.{1,2000}/gsu) ?? [])

/** Text of others in one line, so that it draws no other line. */
export const inLine = (text: string): string => printable(text).replace(/\s+/g, ' ').trim()

/** The first lines; the last of them says that more were left out. */
export function firstLines(lines: readonly string[], most: number): string[] {
  if (lines.length <= most) return [...lines]
  const shown = lines.slice(0, Math.max(0, most - 1))
  const left = lines.length - shown.length
  return [...shown, `… ${left} more ${left === 1 ? 'line' : 'lines'}`]
}

export const countOf = (count: number, what = 'line'): string => `${count} ${what}${count === 1 ? '' : 's'}`

/** A line of at most `width` columns, with an ellipsis if it was longer. */
export function cutLine(text: string, width: number): string {
  if (stringWidth(text) <= width) return text
  const [first = ''] = wrap(text, Math.max(1, width - 1))
  return `${first}…`
}

/** Lines that hang behind a first sign: `1. ` before the first, spaces before the others. */
export function hanging(first: string, lines: readonly string[]): string[] {
  const indent = ' '.repeat(stringWidth(first))
  return lines.map((line, index) => `${index === 0 ? first : indent}${line}`)
}

export { default as widthOf } from 'string-width'
