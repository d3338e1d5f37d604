import {
  type AskedQuestion,
  type AskSnapshot,
  printable,
  type QuestionOption,
  questionTitle,
  responseTo,
  shownOption,
} from '@sandagent/core/internal'
import { answerText, noteText } from '../../answer-text.ts'
import { standsText } from '../../reader-text.ts'
import { drawEdit } from '../edit/draw-edit.ts'
import type { FormState } from '../form-state.ts'
import { enteredFor, isPicked, type Row, unansweredIn } from '../rows.ts'
import { type Field, hidden } from '../text-field.ts'
import { type DrawnRow, drawFieldRow, FIELD_LINES, type RowView } from './draw-field-row.ts'
import { labelText, markdownLines } from './markdown.ts'
import { cutLine, firstLines, hanging, inLine, widthOf, wrap } from './wrap.ts'

const LABEL_LINES = 2
const DESCRIPTION_LINES = 2

export function fieldOf(row: Row | undefined, snapshot: AskSnapshot, state: FormState): Field | null {
  const question = snapshot.questions[state.step]
  const entered = question ? enteredFor(snapshot, question) : {}
  const texts: Partial<Record<Row['kind'], string | undefined>> = {
    own: (question?.secret ? state.secrets.get(question.id) : entered.freeText) ?? '',
    file: state.path,
    note: entered.notes ?? '',
    reason: state.reason,
    ask: state.reason,
    input: state.edit?.text,
  }
  const text = row && texts[row.kind]
  return text === undefined ? null : { text, cursor: Math.min(state.cursor, text.length) }
}

/** @param number the key that picks the row, if there is one */
export function drawRow(
  row: Row,
  context: RowView,
  { isMarked, number }: { isMarked: boolean; number?: number | undefined },
): DrawnRow {
  const { snapshot, state, paint, width, fieldLines = FIELD_LINES } = context
  const pointer = isMarked ? paint.mark('❯ ') : '  '
  const line = (text: string): DrawnRow => ({
    lines: [`${pointer}${isMarked ? paint.mark(text) : text}`].map((each) => cutLine(each, width)),
  })
  const field = fieldOf(row, snapshot, state)
  if (field && row.kind === 'input') return drawEdit(field, { paint, width, most: fieldLines })
  const isHidden = row.kind === 'own' && snapshot.questions[state.step]?.secret
  if (field) return drawFieldRow(row, isHidden ? hidden(field) : field, context, isMarked)
  switch (row.kind) {
    case 'option': {
      const key = number === undefined ? '   ' : `${number}. `
      return { lines: optionLines(row, `${pointer}${paint.bold(key)}`, context, isMarked) }
    }
    case 'scope':
    case 'allow changed': {
      // It is never cut: a person allows what it says.
      const text = row.kind === 'scope' ? printable(row.scope.covers) : 'Allow the changed call, once'
      const sign = `${pointer}${paint.bold(`${number ?? ' '}. `)}${isMarked ? paint.good('● ') : '○ '}`
      const lines = wrap(text, width - 7).map((each) => (isMarked ? paint.mark(each) : each))
      return { lines: hanging(sign, lines) }
    }
    case 'edit':
      return line('Change the call first (c)')
    case 'more':
      return line('Allow more than this call (m)')
    case 'answer':
      return { lines: answerLines(row.question, pointer, context) }
    case 'skip': {
      const question = snapshot.questions[state.step]
      const response = question && responseTo(snapshot.entered, question)
      return line(`${response && 'skipped' in response ? '●' : '○'} Leave this out`)
    }
    case 'let stand':
      return line(standText(row, context))
    case 'take over':
      return line(`Take over what ${inLine(row.person.name ?? 'somebody else')} has entered`)
    case 'send':
      return line(unansweredIn(snapshot).length > 0 ? 'Send without the others' : 'Send these answers')
    case 'decline':
      return line('Decline to answer: nothing is answered yet')
    default:
      return line('Back to the question')
  }
}

/** The heights of options that were drawn before, by the room that they had. */
const heights = new WeakMap<QuestionOption, Map<string, number>>()

/** How many lines a row takes, whether it is marked, picked or neither. */
export function heightOf(row: Row, context: RowView): number {
  const draw = (): number => drawRow(row, context, { isMarked: false }).lines.length
  if (row.kind !== 'option') return draw()
  const { width, labelLines, descriptionLines } = context
  const room = `${width} ${labelLines} ${descriptionLines}`
  const known = heights.get(row.option) ?? new Map<string, number>()
  heights.set(row.option, known)
  const height = known.get(room) ?? draw()
  known.set(room, height)
  return height
}

const WHOLE = { labelLines: Number.POSITIVE_INFINITY, descriptionLines: Number.POSITIVE_INFINITY }

/** Whether a row says more than is drawn of it: an option, or what the agent goes on with. */
export const isCutRow = (row: Row, context: RowView): boolean =>
  row.kind === 'let stand'
    ? widthOf(standText(row, context)) > context.width - 2
    : heightOf(row, context) < heightOf(row, { ...context, ...WHOLE })

export const wholeRowLines = (rows: readonly Row[], context: RowView): string[] =>
  rows.flatMap((row) => {
    if (row.kind === 'let stand') return ['', ...wrap(standText(row, context), context.width - 2)]
    return row.kind === 'option' ? ['', ...optionLines(row, '', { ...context, ...WHOLE }, false)] : []
  })

const standText = ({ assumption }: Row & { kind: 'let stand' }, { snapshot }: RowView): string =>
  `Let it stand: ${standsText(snapshot, inLine(assumption))}`

function optionLines(
  row: Row & { kind: 'option' },
  before: string,
  { snapshot, state, paint, width, labelLines = LABEL_LINES, descriptionLines = DESCRIPTION_LINES }: RowView,
  isMarked: boolean,
): string[] {
  const { questions } = snapshot
  const { option } = row
  const question = questions[state.step] as AskedQuestion
  const [on, off] = question.multiSelect ? ['[x] ', '[ ] '] : ['● ', '○ ']
  const box = isPicked(snapshot, question, row) ? paint.good(on) : off
  const label = inLine(labelText(question, option, questions))
  const text = shownOption(question, option).isRecommended ? `${label} (recommended)` : label
  const indent = 5 + on.length
  const labels = cutLines(wrap(text, width - indent), labelLines, width - indent)
  const description = option.description
    ? markdownLines(option.description, width - indent, {
        paint,
        questions,
        isPlain: question.textFormat === 'plain',
      })
    : []
  return [
    ...hanging(
      `${before}${box}`,
      labels.map((each) => (isMarked ? paint.mark(each) : each)),
    ),
    // An empty line could stand for the end of the list.
    ...cutLines(
      description.filter((each) => each.trim() !== ''),
      descriptionLines,
      width - indent,
    ).map((each) => `${' '.repeat(indent)}${paint.dim(each)}`),
  ]
}

/** The first lines. A single one that goes on ends with a sign: there is no room to say how far. */
const cutLines = (lines: readonly string[], most: number, width: number): string[] =>
  most === 1 && lines.length > 1
    ? [`${cutLine(lines[0] ?? '', width - 2)} …`]
    : most === 0
      ? []
      : firstLines(lines, most)

function answerLines(question: AskedQuestion, pointer: string, context: RowView): string[] {
  const { snapshot, paint, width } = context
  const answer = answerText(question, snapshot.entered)
  const note = noteText(question, snapshot.entered)
  const isMissing = unansweredIn(snapshot).includes(question)
  const sign = answer !== null ? paint.good('✓ ') : isMissing ? paint.warn('! ') : '- '
  const none = isMissing ? paint.warn('Not answered') : paint.dim('Left out')
  return [
    `${pointer}${sign}${cutLine(inLine(questionTitle(question)), width - 4)}`,
    `    ${answer === null ? none : paint.bold(cutLine(answer, width - 4))}`,
    ...(note === null ? [] : [`    ${paint.dim(cutLine(`Note: ${note}`, width - 4))}`]),
  ]
}

/** Where the cursor of the terminal is, if one of these rows has it. */
export function cursorIn(rows: readonly DrawnRow[], above: number): { x: number; y: number } | undefined {
  let y = above
  for (const { lines, cursor } of rows) {
    if (cursor) return { x: cursor.x, y: y + cursor.y }
    y += lines.length
  }
  return undefined
}
