import type { AskSnapshot } from '@sandagent/core/internal'
import type { FormState, Size } from '../form-state.ts'
import { hintsOf, type KeyFacts } from '../key-hints.ts'
import { NUMBER_KEYS, type Row, rowsOf } from '../rows.ts'
import { chipLine, type HeadContext, headLine, hintLines, problemLines } from './draw-head.ts'
import { type DrawnRow, drawRow, fieldOf, heightOf } from './draw-rows.ts'
import { BAR, behindBar, bodyLines, previewLines, previewOf } from './draw-texts.ts'
import { type Page, pagesOf, pageWith } from './pages.ts'
import type { Paint } from './paint.ts'
import { cutLine, firstLines } from './wrap.ts'

/** From this width on, previews stand beside the options. */
const WIDE = 100
/** The fewest lines of a preview. */
const LEAST_PREVIEW = 4
/** With fewer rows than this, there is no room for empty lines. */
const ROOMY = 30
/** Longer lines are hard to read. */
const WIDEST_TEXT = 110
/** Everything that is drawn, in lines that fit the terminal, and what the keys act on. */
export interface Drawing {
  head: string[]
  list: string[]
  preview: string[]
  isPreviewBeside: boolean
  listWidth: number
  rest: string[]
  /** Where the cursor of the terminal is, from the top left corner of the drawing. */
  cursor: { x: number; y: number } | undefined
  rows: Row[]
  /** How many of the rows are in the list. */
  listLength: number
  mark: number
  pages: Page[]
  page: Page
}

export interface DrawOptions {
  snapshot: AskSnapshot
  state: FormState
  size: Size
  paint: Paint
  /** Milliseconds since 1970. */
  now: number
  /** What Ctrl-C does, in a word or two. */
  ctrlC: string
}

/**
 * A drawing has one line less than the terminal: a taller one would clear what is above it. In little space it gives up
 * its keys and empty lines, then lines of fields, then all but a line of each row.
 */
export function draw(options: DrawOptions): Drawing {
  const { rows } = options.size
  for (const spare of [undefined, {}, { fieldLines: 1 }]) {
    const drawing = drawFull(options, spare)
    if (linesOf(drawing) < rows) return drawing
  }
  return drawBare(options)
}

const linesOf = ({ head, list, preview, isPreviewBeside, rest }: Drawing): number =>
  head.length +
  (isPreviewBeside ? Math.max(list.length, preview.length) : list.length + preview.length) +
  rest.length

/** The question, and a line for each row that there is room for. The marked row is always one of them. */
function drawBare({ snapshot, state, size, paint, now }: DrawOptions): Drawing {
  const width = Math.min(Math.max(20, size.columns - 1), WIDEST_TEXT)
  const { list, rest } = rowsOf(snapshot, state)
  const rows = [...list, ...rest]
  const mark = Math.min(state.mark, rows.length - 1)
  const headContext: HeadContext = { snapshot, state, paint, width, now }
  const context = { snapshot, state, paint, width, fieldLines: 1 }
  const problem = problemLines(headContext).slice(0, size.rows < 6 ? 0 : 1)
  const room = Math.max(1, size.rows - 2 - problem.length)
  const isInRest = mark >= list.length
  const restRoom = list.length === 0 ? room : Math.max(isInRest ? 1 : 0, room - 1)
  const restFrom = Math.max(0, Math.min(mark - list.length, rest.length - restRoom))
  const drawnRest = rest.slice(restFrom, restFrom + restRoom).map((row, index) => {
    const drawn = drawRow(row, context, { isMarked: list.length + restFrom + index === mark })
    return { ...drawn, lines: drawn.lines.slice(0, 1) }
  })
  const listRoom = room - drawnRest.length
  const pages = pagesOf(listRoom > 0 ? list.map(() => 1) : [], listRoom)
  const page = pageWith(pages, Math.min(state.anchor, Math.max(0, list.length - 1)))
  const isTyping = fieldOf(rows[mark], snapshot, state) !== null || state.filter !== ''
  const shown = list.slice(page.from, page.to).flatMap((row, index) => {
    const number = row.kind === 'option' && !isTyping ? index + 1 : undefined
    return drawRow(row, context, { isMarked: page.from + index === mark, number }).lines.slice(0, 1)
  })
  const body = bodyLines(headContext)
  const textRoom = 1 + room - shown.length - drawnRest.length
  const [first = ''] = body
  const text =
    textRoom === 1 && body.length > 1
      ? [cutLine(`${first} …`, width - BAR.length)]
      : firstLines(body, textRoom)
  const head = text.map((line) => behindBar(line, paint))
  return {
    head,
    list: shown,
    preview: [],
    isPreviewBeside: false,
    listWidth: width,
    rest: [...drawnRest.flatMap(({ lines }) => lines), ...problem],
    cursor: cursorIn(drawnRest, head.length + shown.length),
    rows,
    listLength: list.length,
    mark,
    pages,
    page,
  }
}

/** @param spare what is left out: keys, empty lines and the preview, and fields are cut to these lines */
function drawFull(
  { snapshot, state, size, paint, now, ctrlC }: DrawOptions,
  spare?: { fieldLines?: number },
): Drawing {
  const width = Math.max(20, size.columns - 1)
  const { list, rest } = rowsOf(snapshot, state)
  const rows = [...list, ...rest]
  const mark = Math.min(state.mark, rows.length - 1)
  const marked = rows[mark]
  const isInField = fieldOf(marked, snapshot, state) !== null
  const previewed = spare ? null : previewOf(snapshot, state, list[Math.min(state.anchor, list.length - 1)])
  const blank = spare ? [] : ['']
  const isPreviewBeside = previewed !== null && width >= WIDE
  const listWidth = isPreviewBeside ? Math.min(70, Math.floor(width * 0.45)) : Math.min(width, WIDEST_TEXT)
  const context = { snapshot, state, paint, width: listWidth, ...spare }
  const headContext: HeadContext = { snapshot, state, paint, width: Math.min(width, WIDEST_TEXT), now }

  const body = bodyLines(headContext)
  const drawnRest = rest.map((row, index) =>
    drawRow(row, { ...context, width: headContext.width }, { isMarked: list.length + index === mark }),
  )
  const restLines = drawnRest.flatMap(({ lines }) => lines)
  const isSeveral = snapshot.questions.length > 1
  const top = [headLine(headContext), ...(isSeveral ? [chipLine(headContext)] : []), ...blank]
  const hints = hintLines(headContext, list.length)
  const footWith = (isCut: boolean): string[] => [
    ...problemLines(headContext),
    ...blank,
    ...(spare ? [] : footLines(headContext, { marked, isInField, listLength: list.length, ctrlC, isCut })),
  ]

  const free = Math.max(
    spare ? 3 : 6,
    size.rows - 2 - top.length - hints.length - restLines.length - footWith(true).length,
  )
  const isPreviewBelow = previewed !== null && !isPreviewBeside
  // Empty lines stand above the list, and where there is room, below it and above a preview.
  const space = size.rows < ROOMY ? [] : ['']
  const gap = list.length > 0 && rest.length > 0 ? space : []
  const room = free - 1 - gap.length - (isPreviewBelow ? space.length : 0)
  const heights = list.map((row) => heightOf(row, context))
  const listHeight = heights.slice(0, NUMBER_KEYS).reduce((sum, height) => sum + height, 1)
  // The text has what the first page leaves, and two fifths of the room at least.
  const unused = room - listHeight - (isPreviewBelow ? LEAST_PREVIEW : 0)
  const text = firstLines(
    body,
    Math.max(2, list.length > 0 ? Math.max(Math.floor(free * 0.4), unused) : free - 1),
  )
  const left = room - text.length
  const previewWidth = isPreviewBeside
    ? Math.min(width - listWidth - 2, WIDEST_TEXT)
    : Math.min(width, WIDEST_TEXT)
  const wholePreview = previewed === null ? [] : previewLines(previewed, previewWidth, headContext)
  const shownPreview = firstLines(
    wholePreview,
    Math.max(LEAST_PREVIEW, isPreviewBelow ? left - listHeight : left),
  )
  const preview = isPreviewBelow ? [...space, ...shownPreview] : shownPreview
  const listSpace = Math.max(1, left - (isPreviewBelow ? shownPreview.length : 0))
  // If there are several pages, a line says which one it is.
  const isPaged = list.length > NUMBER_KEYS || listHeight - 1 > listSpace
  const pages = pagesOf(heights, isPaged ? listSpace - 1 : listSpace)
  const page = pageWith(pages, Math.min(state.anchor, Math.max(0, list.length - 1)))
  const shown = list.slice(page.from, page.to).flatMap((row, index) => {
    const isMarked = page.from + index === mark
    // While a text or a filter is typed, digits are a part of it, and no option shows one.
    const isTyping = isInField || state.filter !== ''
    const number = row.kind === 'option' && !isTyping ? index + 1 : undefined
    return drawRow(row, context, { isMarked, number }).lines
  })
  const more = pages.length > 1 ? [paint.dim(`     page ${pages.indexOf(page) + 1} of ${pages.length}`)] : []
  const none = list.length === 0 && state.filter !== '' ? [paint.dim('     no option matches')] : []

  const isCut = text.length < body.length || shownPreview.length < wholePreview.length
  const head = [...top, ...text.map((line) => behindBar(line, paint)), ...hints, ...blank]
  const listLines = [...shown, ...more, ...none]
  const above =
    head.length + (isPreviewBeside ? Math.max(listLines.length, preview.length) : listLines.length)
  return {
    head,
    list: listLines,
    preview,
    isPreviewBeside,
    listWidth,
    rest: [...gap, ...restLines, ...footWith(isCut)],
    cursor: cursorIn(drawnRest, above + (isPreviewBelow ? preview.length : 0) + gap.length),
    rows,
    listLength: list.length,
    mark,
    pages,
    page,
  }
}

/** Which keys do what. The lines are empty until keys count, but they are there: nothing moves then. */
function footLines({ snapshot, state, paint, width }: HeadContext, facts: KeyFacts): string[] {
  const lines = joined(hintsOf(snapshot, state, facts), width)
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

function cursorIn(rows: readonly DrawnRow[], above: number): Drawing['cursor'] {
  let y = above
  for (const { lines, cursor } of rows) {
    if (cursor) return { x: cursor.x, y: y + cursor.y }
    y += lines.length
  }
  return undefined
}

/** The texts of what is shown that were cut, whole. */
export function wholeTexts(options: DrawOptions): string[] {
  const { snapshot, state, size, paint, now } = options
  const width = Math.min(Math.max(20, size.columns - 1), WIDEST_TEXT)
  const context = { snapshot, state, paint, width, now }
  const { rows } = draw(options)
  const previewed = previewOf(snapshot, state, rows[state.anchor])
  const question = bodyLines(context).map((line) => behindBar(line, paint))
  return [...question, ...(previewed ? ['', ...previewLines(previewed, width, context)] : [])]
}
