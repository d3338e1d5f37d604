import { NUMBER_KEYS } from '../rows.ts'
import { drawBare } from './draw-bare.ts'
import { drawFull } from './draw-full.ts'
import { wholeRowLines } from './draw-rows.ts'
import { behindBar, bodyLines, previewLines, previewOf } from './draw-texts.ts'
import { type Drawing, type DrawOptions, type Sparing, WIDEST_TEXT } from './drawing.ts'

/** Descriptions and previews give way before a list has more pages than its number needs. */
const STEPS: readonly Sparing[] = [
  {},
  { descriptionLines: 1 },
  { descriptionLines: 1, previewLines: 3 },
  { descriptionLines: 0, previewLines: 3 },
  { descriptionLines: 0, previewLines: 0 },
  { descriptionLines: 0, previewLines: 0, labelLines: 1 },
]

/**
 * A drawing has one line less than the terminal: a taller one would clear what is above it. In little space it gives up
 * descriptions and previews, then its keys and empty lines, then lines of fields, then all but a line of each row.
 */
export function draw(options: DrawOptions): Drawing {
  const { rows } = options.size
  // What is permitted is not cut.
  const steps = options.state.asked.kind === 'approval' ? STEPS.slice(0, 1) : STEPS
  let found: Drawing | undefined
  for (const step of steps) {
    const drawing = drawFull(options, step)
    if (drawing.lines.length >= rows) continue
    if (!isPaged(drawing)) return drawing
    found = drawing
  }
  if (found) return found
  const bare = drawBare(options)
  for (const spare of [{}, { fieldLines: 1 }]) {
    const drawing = drawFull(options, { ...steps.at(-1), ...spare, isSpare: true })
    if (drawing.lines.length < rows && drawing.pages.length <= bare.pages.length) return drawing
  }
  return bare
}

const isPaged = ({ pages, listLength }: Drawing): boolean =>
  pages.length > Math.max(1, Math.ceil(listLength / NUMBER_KEYS))

export function wholeTexts(options: DrawOptions): string[] {
  const { size, paint, ...seen } = options
  const width = Math.min(Math.max(20, size.columns - 1), WIDEST_TEXT)
  const context = { ...seen, paint, width }
  const { rows } = draw(options)
  const previewed = previewOf(seen.snapshot, seen.state, rows[seen.state.anchor])
  const texts = [...bodyLines(context), ...wholeRowLines(rows, context)]
  return [
    ...texts.map((line) => behindBar(line, paint)),
    ...(previewed ? ['', ...previewLines(previewed, width, context)] : []),
  ]
}
