import { type AskedQuestion, type AskSession, type AskSnapshot, findOption } from '@sandagent/core/internal'
import type { HeldAnswer } from '../session/held-answer.ts'
import type { OpenQuestion } from '../session/open-session.ts'
import { fieldOf } from './draw/draw-rows.ts'
import type { Drawing } from './draw/drawing.ts'
import { type FormState, freshPart, type Part } from './form-state.ts'
import { enteredFor, questionOf, type Row, rowsOf, unansweredIn } from './rows.ts'

/** What a key acts on: the session, the state of the form, and what is drawn. */
export interface Pressed {
  session: AskSession
  held: HeldAnswer
  snapshot: AskSnapshot
  state: FormState
  drawing: Drawing
  set(change: Partial<FormState>): void
  /** Prints the texts that were cut above the form. */
  showWhole(): void
  /** Edits the call in the person's own editor. */
  openEditor(): void
  /** See `OpenQuestion`. */
  attach: OpenQuestion['attach']
}

export function moveToKind(form: Pressed, kind: Row['kind'], isMarking = true): void {
  const place = form.drawing.rows.findIndex((row) => row.kind === kind)
  if (place !== -1) moveTo(form, place, isMarking)
}

/** Moves the mark by one row. It comes in at an end. */
export const moveBy = (form: Pressed, rows: 1 | -1): void =>
  moveTo(form, form.drawing.mark === -1 && rows === -1 ? -1 : form.drawing.mark + rows)

/**
 * Moves the mark, around the ends. In a text field the cursor stands at the end.
 *
 * @param isMarking whether the person chose the row: otherwise Enter sends nothing that was not marked before
 */
export function moveTo(form: Pressed, wanted: number, isMarking = true): void {
  const { rows, listLength } = form.drawing
  const mark = (wanted + rows.length) % rows.length
  const state = { ...form.state, mark }
  const field = fieldOf(rows[mark], form.session.getSnapshot(), state)
  form.set({
    mark,
    hasMarked: isMarking || form.state.hasMarked,
    ...(mark < listLength && { anchor: mark }),
    cursor: field?.text.length ?? 0,
    problem: '',
  })
}

/** Goes to a question, or to the review after the last one. */
export function goTo(form: Pressed, wanted: number): void {
  const { length } = form.snapshot.questions
  if (form.state.part === 'question' && wanted >= 0 && wanted <= (length > 1 ? length : 0)) show(form, wanted)
}

/** Shows a question, or the review. */
export const show = (form: Pressed, step: number): void =>
  form.set(stateAt(form.session.getSnapshot(), { ...form.state, step }))

/** Shows another part of the form. Nothing is marked in it. */
export const showPart = (form: Pressed, part: Part, change: Partial<FormState> = {}): void =>
  form.set({ ...freshPart, part, ...change })

/** The form at a question, or at the review. The mark is on what was entered. */
export function stateAt(snapshot: AskSnapshot, before: FormState): FormState {
  const state = { ...before, ...freshPart }
  const { list, rest } = rowsOf(snapshot, state)
  const mark = firstMark(snapshot, state)
  const field = fieldOf([...list, ...rest][mark], snapshot, state)
  const anchor = mark < list.length ? Math.max(0, mark) : 0
  return { ...state, mark, anchor, cursor: field?.text.length ?? 0 }
}

/**
 * Where the mark is first: on what was picked or typed; in the review on what is not answered, or on sending. In an approval
 * it is nowhere: nothing that allows is chosen beforehand. In a walk it is in no empty text.
 */
function firstMark(snapshot: AskSnapshot, state: FormState): number {
  const { list, rest } = rowsOf(snapshot, state)
  const question = questionOf(snapshot, state)
  if (!question) {
    const open = snapshot.questions.indexOf(unansweredIn(snapshot)[0] as AskedQuestion)
    return open === -1 ? list.length : open
  }
  const { selected = [], freeText = '' } = enteredFor(snapshot, question)
  const [first] = selected
  const picked = first === undefined ? undefined : findOption(question, first)
  if (state.asked.kind === 'approval' && list.length > 0) return -1
  // In a walk, a letter is a key before it is a text.
  if (state.isWalk && list.length === 0 && freeText === '') return -1
  const isOwn = picked === undefined && freeText.trim() !== ''
  const place = isOwn
    ? rest.findIndex(({ kind }) => kind === 'own') + list.length
    : list.findIndex((row) => row.kind === 'option' && row.option === picked)
  return Math.max(0, place)
}
