import type { Paint } from '../draw/paint.ts'
import { countOf } from '../draw/wrap.ts'
import { drawField, type Field } from '../text-field.ts'

/** How many characters before and behind the cursor are laid out: all of a long text would take too long at each key. */
const MOST_LAID_OUT = 20_000
const INDENT = '  '

/** The text of an edit around its cursor, in at most `most` lines. */
export function drawEdit(
  { text, cursor }: Field,
  { paint, width, most }: { paint: Paint; width: number; most: number },
): { lines: string[]; cursor: { x: number; y: number } } {
  const from = cursor > MOST_LAID_OUT ? text.indexOf('\n', cursor - MOST_LAID_OUT) + 1 : 0
  const start = from > 0 && from <= cursor ? from : Math.max(0, cursor - MOST_LAID_OUT)
  const end = Math.min(text.length, cursor + MOST_LAID_OUT)
  const drawn = drawField({ text: text.slice(start, end), cursor: cursor - start }, width - INDENT.length - 1)
  const { length } = drawn.lines
  const isWhole = length <= most && start === 0 && end === text.length
  const room = isWhole ? most : Math.max(1, most - 2)
  const top = Math.max(0, Math.min(drawn.row - Math.floor(room / 2), length - room))
  const shown = drawn.lines.slice(top, top + room)
  const above = breaksIn(text.slice(0, start)) + top
  const below = breaksIn(text.slice(end)) + length - top - shown.length
  const hasSigns = !isWhole && most > 2
  return {
    lines: [
      ...(hasSigns ? [paint.dim(above > 0 ? `… ${countOf(above)} above` : '')] : []),
      ...shown.map((line) => `${INDENT}${line}`),
      ...(hasSigns ? [paint.dim(below > 0 ? `… ${countOf(below)} below` : '')] : []),
    ],
    cursor: { x: INDENT.length + drawn.column, y: drawn.row - top + (hasSigns ? 1 : 0) },
  }
}

const breaksIn = (text: string): number => text.split('\n').length - 1

/** Moves the cursor by lines, as far to the right as it was. */
export function moveByLines({ text, cursor }: Field, lines: number): Field {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)]
  const row = starts.findLastIndex((start) => start <= cursor)
  const wanted = Math.max(0, Math.min(starts.length - 1, row + lines))
  if (wanted === row) return { text, cursor: lines < 0 ? 0 : text.length }
  const [start = 0, next = text.length + 1] = starts.slice(wanted)
  return { text, cursor: Math.min(next - 1, start + cursor - (starts[row] ?? 0)) }
}
