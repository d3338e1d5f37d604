import { type HintFacts, hintsOf } from '../key-hints.ts'
import { hasNumber, isFiltering, NUMBER_KEYS, rowsOf } from '../rows.ts'
import { chipLine, headLine, hintLines, problemLines } from './draw-head.ts'
import { cursorIn, drawRow, fieldOf, heightOf, isCutRow, wholeRowLines } from './draw-rows.ts'
import { behindBar, bodyLines, mustBeRead, previewLines, previewOf, windowOf } from './draw-texts.ts'
import { type Drawing, type DrawOptions, type Sparing, type View, WIDEST_TEXT } from './drawing.ts'
import { pagesOf, pageWith } from './pages.ts'
import { firstLines, widthOf } from './wrap.ts'

/** From this width on, previews stand beside the options. */
const WIDE = 100
/** The fewest lines of a preview. */
const LEAST_PREVIEW = 4
/** With fewer rows than this, there is no room for empty lines. */
const ROOMY = 30

/** Of a text that need not be read to its end. */
export const ALL_READ = { from: 0, to: 0, length: 0, unread: 0 }
const FULL_PAGE = { from: 0, to: NUMBER_KEYS }
/** With these, the line of keys is longest. */
const MOST_FACTS = { isCut: true, page: FULL_PAGE, pages: [FULL_PAGE, FULL_PAGE], text: ALL_READ }

/** Draws all there is. In little space, lines or keys are left out. */
export function drawFull(
  { snapshot, held, state, size, paint, now, ctrlC }: DrawOptions,
  { previewLines: leastPreview = LEAST_PREVIEW, isSpare = false, ...sparing }: Sparing,
): Drawing {
  const width = Math.max(20, size.columns - 1)
  const { list, rest } = rowsOf(snapshot, state)
  const rows = [...list, ...rest]
  const mark = Math.min(state.mark, rows.length - 1)
  const marked = rows[mark]
  const isInField = fieldOf(marked, snapshot, state) !== null
  const previewed = isSpare ? null : previewOf(snapshot, state, list[Math.min(state.anchor, list.length - 1)])
  const blank = isSpare ? [] : ['']
  const isPreviewBeside = previewed !== null && width >= WIDE
  const listWidth = isPreviewBeside ? Math.min(70, Math.floor(width * 0.45)) : Math.min(width, WIDEST_TEXT)
  const view = { snapshot, held, state, paint, width: Math.min(width, WIDEST_TEXT), now }
  const listView = { ...view, width: listWidth, ...sparing }

  const isApproval = mustBeRead({ snapshot, state })
  const cutRows = [
    ...list.filter((row) => isCutRow(row, listView)),
    ...rest.filter((row) => row.kind === 'let stand' && isCutRow(row, view)),
  ]
  const body = [...bodyLines(view), ...(isApproval ? wholeRowLines(cutRows, view) : [])]
  // The text of an edit has all the room that there is.
  const editLines = state.part === 'edit' && { fieldLines: Math.max(1, size.rows - (isSpare ? 7 : 14)) }
  const drawnRest = rest.map((row, index) =>
    drawRow(row, { ...view, ...sparing, ...editLines }, { isMarked: list.length + index === mark }),
  )
  const restLines = drawnRest.flatMap(({ lines }) => lines)
  const isSeveral = snapshot.questions.length > 1
  const top = [headLine(view), ...(isSeveral ? [chipLine(view)] : []), ...blank]
  const hints = hintLines(view, list.length)
  const footWith = (facts: Pick<HintFacts, 'isCut' | 'page' | 'pages' | 'text'>): string[] => [
    ...problemLines(view),
    ...blank,
    ...(isSpare ? [] : footLines(view, { marked, rows, isInField, ctrlC, ...facts })),
  ]

  const free = Math.max(
    isSpare ? 3 : 6,
    size.rows - 2 - top.length - hints.length - restLines.length - footWith(MOST_FACTS).length,
  )
  const isPreviewBelow = previewed !== null && !isPreviewBeside && leastPreview > 0
  // Empty lines stand above the list, and where there is room, below it and above a preview.
  const space = size.rows < ROOMY ? [] : ['']
  const gap = list.length > 0 && rest.length > 0 ? space : []
  const room = free - 1 - gap.length - (isPreviewBelow ? space.length : 0)
  const heights = list.map((row) => heightOf(row, listView))
  const listHeight = heights.slice(0, NUMBER_KEYS).reduce((sum, height) => sum + height, 1)
  // The text has what the first page leaves, and two fifths of the room at least.
  const unused = room - listHeight - (isPreviewBelow ? leastPreview : 0)
  const most = Math.max(2, list.length > 0 ? Math.max(Math.floor(free * 0.4), unused) : free - 1)
  const barred = (lines: readonly string[]): string[] => lines.map((line) => behindBar(line, paint))
  const { lines: text, ...read } = isApproval
    ? windowOf(barred(body), most, view)
    : { lines: barred(firstLines(body, most)), ...ALL_READ }
  const left = room - text.length
  const previewWidth = isPreviewBeside ? Math.min(width - listWidth - 2, WIDEST_TEXT) : view.width
  const wholePreview = previewed === null ? [] : previewLines(previewed, previewWidth, view)
  const shownPreview =
    isPreviewBeside || isPreviewBelow
      ? firstLines(wholePreview, Math.max(leastPreview, isPreviewBelow ? left - listHeight : left))
      : []
  const preview = isPreviewBelow ? [...space, ...shownPreview] : shownPreview
  const listSpace = Math.max(1, left - (isPreviewBelow ? shownPreview.length : 0))
  // If there are several pages, a line says which one it is.
  const isPaged = list.length > NUMBER_KEYS || listHeight - 1 > listSpace
  const pages = pagesOf(heights, isPaged ? listSpace - 1 : listSpace)
  const page = pageWith(pages, Math.min(state.anchor, Math.max(0, list.length - 1)))
  const shown = list.slice(page.from, page.to).flatMap((row, index) => {
    const isMarked = page.from + index === mark
    // While a text or a filter is typed, digits are a part of it, and no option shows one.
    const isTyping = isInField || isFiltering(state)
    const place = page.from + index + 1
    const number = hasNumber(row) && !isTyping && place <= NUMBER_KEYS ? place : undefined
    return drawRow(row, listView, { isMarked, number }).lines
  })
  const more = pages.length > 1 ? [paint.dim(`     page ${pages.indexOf(page) + 1} of ${pages.length}`)] : []
  const none = list.length === 0 && state.filter !== '' ? [paint.dim('     no option matches')] : []

  const isCut =
    !isApproval &&
    (text.length < body.length || shownPreview.length < wholePreview.length || cutRows.length > 0)
  const listed = [...shown, ...more, ...none]
  const above = [
    ...[...top, ...text, ...hints, ...blank],
    ...(isPreviewBeside ? besides(listed, preview, listWidth) : [...listed, ...preview]),
    ...gap,
  ]
  return {
    lines: [...above, ...restLines, ...footWith({ isCut, page, pages, text: read })],
    cursor: cursorIn(drawnRest, above.length),
    rows,
    listLength: list.length,
    mark,
    pages,
    page,
    text: read,
  }
}

/** Two columns, with a gap between them. */
const besides = (left: readonly string[], right: readonly string[], width: number): string[] =>
  Array.from({ length: Math.max(left.length, right.length) }, (_, row) => {
    const line = left[row] ?? ''
    return `${line}${' '.repeat(width - widthOf(line) + 2)}${right[row] ?? ''}`.trimEnd()
  })

/** Which keys do what. The lines are empty until keys count, but they are there: nothing moves then. */
function footLines(
  { snapshot, held, state, paint, width }: View,
  facts: Omit<HintFacts, 'isHeld'>,
): string[] {
  const lines = joined(hintsOf(snapshot, state, { ...facts, isHeld: held !== null }), width)
  return lines.map((line) => (state.hasArrived ? paint.dim(line) : ''))
}

/** Hints in lines that end between two of them. */
function joined(hints: readonly string[], width: number): string[] {
  const lines: string[] = []
  for (const hint of hints) {
    const longer = lines.length === 0 ? hint : `${lines.at(-1)} · ${hint}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(hint)
  }
  return lines
}
