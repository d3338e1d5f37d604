import { type AskSnapshot, sameJson } from '@sandagent/core/internal'
import type { Key } from '../../keyboard/key.ts'
import { type FormState, freshPart } from '../form-state.ts'
import { type Pressed, show, showPart } from '../move.ts'
import { editedFor, questionOf } from '../rows.ts'
import { edit } from '../text-field.ts'
import { beginEdit, type CallEdit, changedCall, wholeEdit } from './call-edit.ts'
import { moveByLines } from './draw-edit.ts'

/** How many lines a page of the text has. */
const PAGE = 10

/** Opens the text of the call: as it was left here, as it is kept elsewhere, or as the agent wrote it. */
export function openEdit(form: Pressed) {
  const { state, snapshot } = form
  const { subject } = state.asked
  const question = questionOf(snapshot, state)
  if (!subject || !question) return
  const kept = editedFor(snapshot, question)
  const isOwn = kept === undefined || sameJson(kept, state.edit?.changed?.input ?? null)
  showEdit(form, (isOwn ? state.edit : null) ?? beginEdit(subject, kept))
}

/** A form begins with the change that is kept, if there is one: the person has just taken it back. */
export function withKeptChange(snapshot: AskSnapshot, state: FormState): FormState {
  const { subject } = state.asked
  const question = questionOf(snapshot, state)
  const input = question && editedFor(snapshot, question)
  if (!subject?.editable || input === undefined) return state
  const changed = { ...subject, input }
  return { ...state, ...freshPart, part: 'changes', edit: { ...beginEdit(subject, input), changed } }
}

/** The text with its cursor: behind a command, at the beginning of JSON. */
const showEdit = (form: Pressed, opened: CallEdit): void =>
  showPart(form, 'edit', { edit: opened, mark: 0, cursor: opened.field === null ? 0 : opened.text.length })

/** Acts on a key while the text of a call is edited. */
export function pressInEdit(key: Key, form: Pressed) {
  const { state, session, snapshot } = form
  const { edit: edited, cursor } = state
  const question = questionOf(snapshot, state)
  if (!edited || !question) return
  const field = { text: edited.text, cursor: Math.min(cursor, edited.text.length) }
  const isPlain = !(key.meta || key.ctrl || key.shift)
  if (key.name === 'escape') {
    // The call of the agent stands again.
    if (editedFor(snapshot, question) !== undefined) session.setInput(question.id, undefined)
    return show(form, state.step)
  }
  if (key.name === 'return' && isPlain) return lookAtChanges(form, edited)
  if (key.name === 'tab') return editWhole(form, edited)
  if (key.ctrl && key.name === 'g' && state.hasEditor) return form.openEditor()
  const lines = { up: -1, down: 1, pageup: -PAGE, pagedown: PAGE }[key.name]
  const next = lines === undefined ? edit(field, { ...key, name: nameIn(key) }) : moveByLines(field, lines)
  if (!next) return
  const typed = { ...edited, text: next.text }
  form.set({ edit: typed, cursor: next.cursor })
  // What is typed survives: other forms of the person show it, and it counts once somebody looks at it.
  const made = next.text !== edited.text && state.asked.subject && changedCall(typed, state.asked.subject)
  if (made && 'input' in made) session.setInput(question.id, made.input)
}

const nameIn = ({ name }: Key): string => (name === 'paste' ? '' : name)

/** Shows what the text makes of the call, which can be allowed from there. */
export function lookAtChanges(form: Pressed, edited: CallEdit) {
  const { state, session, snapshot } = form
  const { subject } = state.asked
  const question = questionOf(snapshot, state)
  if (!subject || !question) return
  const changed = changedCall(edited, subject)
  if ('fault' in changed) return form.set({ edit: edited, problem: changed.fault })
  session.setInput(question.id, changed.input)
  showPart(form, 'changes', { edit: { ...edited, changed } })
}

/** Goes on with all of the input, where the text was a part of it. */
function editWhole(form: Pressed, edited: CallEdit): void {
  if (edited.field !== null)
    showEdit(form, wholeEdit({ ...Object(edited.base), [edited.field]: edited.text }))
}

/** Goes back to the text. */
export const editOn = (form: Pressed): void => {
  if (form.state.edit) showEdit(form, form.state.edit)
}
