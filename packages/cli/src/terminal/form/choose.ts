import {
  type AskedQuestion,
  type AskSnapshot,
  decisionOf,
  defaultOf,
  enteredFault,
  optionFor,
  optionValue,
  responseTo,
  steppedText,
  takesOnlyFiles,
} from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { giveSecret } from '../session/give-secret.ts'
import { goTo, type Pressed } from './move.ts'
import { assumptionIn, editedFor, enteredFor, isPicked, numberOf, questionOf, type Row } from './rows.ts'

export const UNREAD = 'There is more to read before you decide: press Space.'
export const TOO_SMALL = 'Make the terminal larger: this must be read before it is allowed.'

const LEFT_OUT = 'The change is left out. Enter sends this for the call as the agent asked it.'

/** Whether a row may be chosen. In an approval, all was shown before, or the row allows nothing. */
export function mayChoose(form: Pressed, row: Row | undefined): boolean {
  if (form.drawing.text.unread === 0 || form.state.part === 'decline') return true
  // What an edit changes is read before it is allowed.
  if (row?.kind === 'note' || row?.kind === 'edit') return true
  return row?.kind === 'option' && decisionOf(optionValue(row.option)) === 'deny'
}

/** The number that an option shows picks it. One that is not in sight is shown first. */
export function pickNumber(form: Pressed, question: AskedQuestion, number: number) {
  const { page, rows, listLength } = form.drawing
  const place = number - 1
  const row = rows[place]
  if (place >= listLength || !row) return form.set({ problem: `There is no option ${number}.` })
  if (!mayChoose(form, row)) return form.set({ problem: UNREAD })
  form.set({ mark: place, anchor: place, hasMarked: true })
  const isInSight = place >= page.from && place < page.to
  if (!isInSight || row.kind !== 'option') return
  const isOnly = form.snapshot.questions.length === 1
  // A digit alone sends nothing.
  if (question.multiSelect || isOnly || form.state.asked.kind === 'approval')
    form.session.select(question.id, optionValue(row.option), { autoSubmit: false })
  else pick(form, question, row)
}

/** Picks a single choice, and goes on. If it is the only question, that sends the answer. */
function pick(form: Pressed, question: AskedQuestion, { option }: Row & { kind: 'option' }) {
  const isOnly = form.snapshot.questions.length === 1
  form.session.select(question.id, optionValue(option), { autoSubmit: isOnly && 'immediately' })
  if (!isOnly) goTo(form, form.state.step + 1)
}

/**
 * Enter goes on with what has the mark: it picks an option, and goes on from one that is picked. A mark that the form has set
 * picks, but does not send: a person sees what the next Enter sends.
 */
export function choose(form: Pressed, question: AskedQuestion, row: Row & { kind: 'option' }) {
  const isEdited = editedFor(form.snapshot, question) !== undefined
  const isMeant = !isEdited && (form.state.hasMarked || isPicked(form.snapshot, question, row))
  if (isMeant && !question.multiSelect) return pick(form, question, row)
  form.session.select(question.id, optionValue(row.option), { autoSubmit: false })
  form.set({ hasMarked: true, problem: isEdited ? LEFT_OUT : '' })
}

/** Enters what the agent goes on with. It enters nothing, and returns `false`, where there is nothing to let stand. */
export function letStand(session: Pressed['session'], question: AskedQuestion): boolean {
  if (assumptionIn(session.getSnapshot(), question) === undefined) return false
  const { selected = [], freeText } = defaultOf(question) ?? {}
  for (const value of selected) session.select(question.id, value, { autoSubmit: false })
  if (freeText !== undefined) session.setFreeText(question.id, freeText)
  return true
}

/** Allows the call once, with an edited input or with what a scope allows beside it. Only what is passed here is sent. */
export function allow(
  { session }: Pick<Pressed, 'session'>,
  question: AskedQuestion,
  more: { input: unknown } | { scope: string },
) {
  const option = optionFor(question, 'allowOnce')
  if (option) session.select(question.id, optionValue(option), { autoSubmit: 'immediately', ...more })
}

const ADDING = 'The file is being added.'
const ADD_FIRST = 'A path is typed, and its file is not added: press Enter there, or remove the path.'

/** Adds the file whose path is typed, and goes on where there is none. */
export async function addFile(form: Pressed, question: AskedQuestion): Promise<void> {
  const { path, isAdding } = form.state
  if (isAdding) return form.set({ problem: ADDING })
  if (path.trim() === '') return goOn(form)
  form.set({ isAdding: true, problem: ADDING })
  const problem = await form.attach(question, path)
  form.set({ isAdding: false, ...(problem === null ? { path: '', problem: '' } : { problem }) })
}

/** Takes the last file away. */
export function removeFile({ session, snapshot }: Pressed, question: AskedQuestion): void {
  const { files = [] } = enteredFor(snapshot, question)
  if (files.length > 0) session.enter(question.id, { files: files.slice(0, -1) })
}

/** Goes to the next question, or sends the only one. */
export function goOn(form: Pressed) {
  const { session, snapshot, state } = form
  const question = questionOf(snapshot, state)
  if (!question) return
  if (state.isAdding || state.path.trim() !== '') return form.set({ problem: ADD_FIRST })
  const fault = enteredFault(question, enteredFor(snapshot, question).freeText)
  if (fault !== null) return form.set({ problem: `Type ${fault}.` })
  const secret = state.secrets.get(question.id)
  if (secret === undefined) return leave(form, question)
  // Its last character may not be encrypted yet.
  void giveSecret(session, question.id, secret).then((problem) =>
    problem === null ? leave(form, question) : form.set({ problem }),
  )
}

function leave(form: Pressed, question: AskedQuestion) {
  const { session, snapshot, state } = form
  if (snapshot.questions.length > 1) return goTo(form, state.step + 1)
  session.submit()
  if (session.getSnapshot().missing.length > 0) form.set({ problem: missingText(question) })
}

const missingText = (question: AskedQuestion): string =>
  takesOnlyFiles(question)
    ? 'Type the path of a file. Esc declines.'
    : question.options?.length
      ? 'Pick an option, or type an answer.'
      : 'Type an answer. Esc declines.'

/** Sends what there is. A typed answer that does not fit must be changed first. */
export function send(form: Pressed) {
  const { session } = form
  session.submit({ partial: true })
  const { missing, questions } = session.getSnapshot()
  const at = questions.findIndex(({ id }) => missing.includes(id) && hasEntry(session.getSnapshot(), id))
  if (missing.length === 0 || at === -1) return
  goTo(form, at)
  const question = questions[at] as AskedQuestion
  const fault = enteredFault(question, enteredFor(session.getSnapshot(), question).freeText)
  form.set({ problem: `Type ${fault}.` })
}

const hasEntry = ({ questions, entered }: AskSnapshot, id: string): boolean =>
  responseTo(entered, questions.find((each) => each.id === id) as AskedQuestion) !== undefined

/** Arrow keys change a number where there is no other row to move to. */
export function stepNumber(
  { session, snapshot, state, drawing, set }: Pressed,
  marked: Row | undefined,
  by: 1 | -1,
) {
  const question = questionOf(snapshot, state)
  const typed = question && numberOf(question)
  if (!typed || marked?.kind !== 'own' || drawing.rows.length > 1) return false
  const text = steppedText(typed, enteredFor(snapshot, question).freeText ?? '', by)
  session.setFreeText(question.id, text)
  set({ cursor: text.length })
  return true
}

/** Shows more of a text that has to be read to its end. */
export function scroll(form: Pressed, key: Key, isInField: boolean): boolean {
  const { state, drawing } = form
  const { from, to, length, unread } = drawing.text
  const hasReadAll = state.hasReadAll || unread === 0
  const isOn = (key.name === 'pagedown' || (key.text === ' ' && !isInField)) && unread > 0
  if (isOn && to === from) form.set({ problem: TOO_SMALL })
  else if (isOn || (key.name === 'pagedown' && to < length)) form.set({ scrolled: to, hasReadAll })
  else if (key.name === 'pageup' && from > 0)
    form.set({ scrolled: Math.max(0, from - (to - from)), hasReadAll })
  else return false
  return true
}
