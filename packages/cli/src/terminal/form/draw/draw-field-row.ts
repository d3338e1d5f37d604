import { type AskedQuestion, type AskSnapshot, printableLine } from '@sandagent/core/internal'
import { enteredFor, isPlan, type Row } from '../rows.ts'
import { drawField, type Field } from '../text-field.ts'
import type { Sparing, View } from './drawing.ts'
import { countOf, cutLine, hanging } from './wrap.ts'

export const FIELD_LINES = 6

/** What is drawn, and the most lines of a text field, of a label, and of a description. */
export type RowView = View & Sparing

/** A row as it is drawn. Only a text field with the mark has a cursor. */
export interface DrawnRow {
  lines: string[]
  cursor?: { x: number; y: number }
}

/** A text field, with its name before it. */
export function drawFieldRow(
  { kind }: Row,
  field: Field,
  { snapshot, state, paint, width, fieldLines = FIELD_LINES }: RowView,
  isMarked: boolean,
): DrawnRow {
  const question = snapshot.questions[state.step]
  const hasOptions = (question?.options?.length ?? 0) > 0
  const name = {
    own: hasOptions ? 'Own answer' : 'Answer',
    file: 'File',
    note: isPlan(state) ? 'Comments' : 'Note',
    reason: 'Decline, because',
    ask: 'Ask the agent',
  }[kind as 'own' | 'file' | 'note' | 'reason' | 'ask']
  const pointer = isMarked ? paint.mark('❯ ') : '  '
  const label = `${name}: `
  const empty = {
    own: emptyText(question, snapshot),
    file: filesText(question, snapshot),
    note: isPlan(state) ? '12: TEXT is about line 12' : 'for the agent, beside your answer',
    reason: 'the agent reads it; may be empty',
    ask: 'decides nothing: it replies, and asks again',
  }[kind as 'own' | 'file' | 'note' | 'reason' | 'ask']
  const indent = 2 + label.length
  const drawn = drawField(field, Math.max(4, width - indent - 1))
  const from = Math.max(0, drawn.row - fieldLines + 1)
  const shown = drawn.lines.slice(from, from + fieldLines)
  const below = drawn.lines.length - from - shown.length
  // Where there is one line, the cursor needs it.
  const hasRoom = fieldLines > 2
  const texts =
    field.text === ''
      ? [paint.dim(cutLine(empty, width - indent))]
      : [
          ...(from > 0 && hasRoom ? [paint.dim(`… ${countOf(from + 1)} above`)] : shown.slice(0, 1)),
          ...shown.slice(1),
          ...(below > 0 && hasRoom ? [paint.dim(`… ${countOf(below)} below`)] : []),
        ]
  const isKept = kind === 'own' && !question?.multiSelect && isPickedInstead(snapshot, question, field)
  return {
    lines: [
      ...hanging(`${pointer}${isMarked ? paint.mark(label) : label}`, texts),
      ...(isKept ? [`    ${paint.dim('kept, but not sent: an option is picked')}`] : []),
    ],
    ...(isMarked && { cursor: { x: indent + drawn.column, y: drawn.row - from } }),
  }
}

function emptyText(question: AskedQuestion | undefined, snapshot: AskSnapshot): string {
  if (question?.secret && enteredFor(snapshot, question).sealed) return 'given; what you type replaces it'
  return question?.placeholder === undefined ? 'type it here' : printableLine(question.placeholder)
}

function filesText(question: AskedQuestion | undefined, snapshot: AskSnapshot): string {
  const { files = [] } = question ? enteredFor(snapshot, question) : {}
  if (files.length > 0)
    return `${files.map(({ name }) => printableLine(name)).join(', ')}. Backspace takes the last one away`
  return snapshot.view?.takesFiles ? 'its path; Enter adds it' : 'cannot be given here: answer on the page'
}

const isPickedInstead = (
  snapshot: AskSnapshot,
  question: AskedQuestion | undefined,
  { text }: Field,
): boolean =>
  question !== undefined && text.trim() !== '' && (enteredFor(snapshot, question).selected ?? []).length > 0
