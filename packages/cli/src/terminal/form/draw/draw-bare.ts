import { hasNumber, isFiltering, NUMBER_KEYS, rowsOf } from '../rows.ts'
import { problemLines } from './draw-head.ts'
import { cursorIn, drawRow, fieldOf, heightOf } from './draw-rows.ts'
import { BAR, behindBar, bodyLines, mustBeRead } from './draw-texts.ts'
import { type Drawing, type DrawOptions, WIDEST_TEXT } from './drawing.ts'
import { pagesOf, pageWith } from './pages.ts'
import { cutLine, firstLines } from './wrap.ts'

/** The question, and a line for each row that there is room for. The marked row is always one of them. */
export function drawBare({ snapshot, held, state, size, paint, now }: DrawOptions): Drawing {
  const width = Math.min(Math.max(20, size.columns - 1), WIDEST_TEXT)
  const { list, rest } = rowsOf(snapshot, state)
  const rows = [...list, ...rest]
  const mark = Math.min(state.mark, rows.length - 1)
  const view = { snapshot, held, state, paint, width, now }
  const rowView = { ...view, fieldLines: 1 }
  const problem = problemLines(view).slice(0, size.rows < 6 ? 0 : 1)
  const room = Math.max(1, size.rows - 2 - problem.length)
  const isInRest = mark >= list.length
  const restRoom = list.length === 0 ? room : Math.max(isInRest ? 1 : 0, room - 1)
  const restFrom = Math.max(0, Math.min(mark - list.length, rest.length - restRoom))
  const drawnRest = rest.slice(restFrom, restFrom + restRoom).map((row, index) => {
    const drawn = drawRow(row, rowView, { isMarked: list.length + restFrom + index === mark })
    return { ...drawn, lines: drawn.lines.slice(0, 1) }
  })
  const listRoom = room - drawnRest.length
  const pages = pagesOf(listRoom > 0 ? list.map(() => 1) : [], listRoom)
  const page = pageWith(pages, Math.min(state.anchor, Math.max(0, list.length - 1)))
  const isTyping = fieldOf(rows[mark], snapshot, state) !== null || isFiltering(state)
  const shown = list.slice(page.from, page.to).flatMap((row, index) => {
    const place = page.from + index + 1
    const number = hasNumber(row) && !isTyping && place <= NUMBER_KEYS ? place : undefined
    return drawRow(row, rowView, { isMarked: page.from + index === mark, number }).lines.slice(0, 1)
  })
  const body = bodyLines(view)
  const textRoom = 1 + room - shown.length - drawnRest.length
  const [first = ''] = body
  const text =
    textRoom === 1 && body.length > 1
      ? [cutLine(`${first} …`, width - BAR.length)]
      : firstLines(body, textRoom)
  const isApproval = mustBeRead({ snapshot, state })
  // What a scope allows is read in full, too.
  const isCut = state.part === 'scopes' && list.some((row) => heightOf(row, rowView) > 1)
  const isWhole = body.length <= textRoom && shown.length === list.length && !isCut
  const unread = !isApproval || (state.hasReadAll && !isCut) || isWhole ? 0 : body.length
  const head = text.map((line) => behindBar(line, paint))
  return {
    lines: [...head, ...shown, ...drawnRest.flatMap(({ lines }) => lines), ...problem],
    cursor: cursorIn(drawnRest, head.length + shown.length),
    rows,
    listLength: list.length,
    mark,
    pages,
    page,
    // It has no place to show more of a text.
    text: { from: 0, to: 0, length: 0, unread },
  }
}
