// Why it is so: docs/decisions/0076-the-terminal-draws-the-pages-session.md

import { type AskedQuestion, allowsFreeText, optionValue } from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { giveSecret } from '../session/give-secret.ts'
import {
  addFile,
  allow,
  choose,
  goOn,
  letStand,
  mayChoose,
  pickNumber,
  removeFile,
  scroll,
  send,
  stepNumber,
  UNREAD,
} from './choose.ts'
import { fieldOf } from './draw/draw-rows.ts'
import { editOn, openEdit, pressInEdit } from './edit/press-edit.ts'
import { goTo, moveBy, moveTo, moveToKind, type Pressed, show } from './move.ts'
import { decline, openScopes, pressCallKey, pressLetter } from './press-letter.ts'
import { enteredFor, isFilterable, isFiltering, isPicked, isPlan, questionOf, type Row } from './rows.ts'
import { edit } from './text-field.ts'

/** Acts on a key. Before the person can have seen the form, no key counts. */
export function press(key: Key, form: Pressed): void {
  if (form.state.hasArrived) act(key, form)
}

function act(key: Key, form: Pressed) {
  const { session, held, snapshot, state, drawing } = form
  if (held.get()) {
    if (key.name === 'escape' || key.text === 'z') held.takeBack()
    else if (key.name === 'return') held.sendNow()
    return
  }
  if (snapshot.status === 'retrying') {
    if (key.name === 'escape') session.undo()
    if (key.text === 'r') session.retry()
    return
  }
  if (snapshot.status === 'voted' && key.text === 'c') return session.undo()
  if (!snapshot.isEditable) return
  if (state.problem !== '') form.set({ problem: '' })
  if (state.part === 'edit') return pressInEdit(key, form)
  const marked = drawing.rows[drawing.mark]
  if (key.ctrl && key.name === 'o') return form.showWhole()
  if (key.name === 'escape') return goBack(form, marked)
  if (key.name === 'tab') return goTo(form, state.step + (key.shift ? -1 : 1))
  if ((key.name === 'up' || key.name === 'down') && stepNumber(form, marked, key.name === 'up' ? 1 : -1))
    return
  if (key.name === 'up') return moveBy(form, -1)
  if (key.name === 'down') return moveBy(form, 1)
  if (key.name === 'return' && !(key.meta || key.ctrl || key.shift)) return enter(form, marked)
  const isInField = fieldOf(marked, snapshot, state) !== null
  if (scroll(form, key, isInField)) return
  if (marked && isInField) return type(key, form, marked)
  pressInList(key, form, marked)
}

function pressInList(key: Key, form: Pressed, marked: Row | undefined) {
  const { state, snapshot, drawing } = form
  const question = state.part === 'decline' ? undefined : questionOf(snapshot, state)
  const { page, pages, listLength } = drawing
  const at = pages.indexOf(page)
  switch (key.name) {
    case 'left':
      return goTo(form, state.step - 1)
    case 'right':
      return goTo(form, state.step + 1)
    case 'pagedown':
      return moveTo(form, pages[at + 1]?.from ?? listLength)
    case 'pageup':
      return moveTo(form, pages[at - 1]?.from ?? 0)
    case 'home':
      return moveTo(form, 0)
    case 'end':
      return moveTo(form, drawing.rows.length - 1)
  }
  if (state.part === 'decline' && key.text !== '') return typeReason(form, key)
  if (!question && state.isWalk && key.text === 'd') return decline(form)
  if (!question) return key.text === '' ? undefined : form.set({ problem: REVIEW_KEYS })
  if (state.part !== 'question') {
    if (key.name !== 'paste' && /^\d$/.test(key.text)) pickNumber(form, question, Number(key.text))
    else if (key.text !== '') form.set({ problem: NO_KEY })
    return
  }
  if (key.name === 'paste') return typeAnswer(form, question, key)
  if (key.name === 'backspace') return filterBy(form, state.filter.slice(0, -1))
  if (/^\d$/.test(key.text) && !isFiltering(state))
    return listLength > 0 ? pickNumber(form, question, Number(key.text)) : typeAnswer(form, question, key)
  if (key.text === ' ') {
    if (marked?.kind === 'option' && mayChoose(form, marked))
      form.session.select(question.id, optionValue(marked.option), { autoSubmit: false })
    return
  }
  if (key.text === '') return
  if (isFilterable(question) && (isFiltering(state) || !state.isWalk))
    return filterBy(form, state.filter + key.text)
  if (pressCallKey(key, form)) return
  if (key.text === 'n' && drawing.rows.some(({ kind }) => kind === 'note')) {
    moveToKind(form, 'note', false)
    form.set({ problem: isPlan(state) ? COMMENTS : state.isWalk ? NOTE_IN_WALK : NOTE })
  } else if (state.isWalk) pressLetter(key, form, question)
  else typeAnswer(form, question, key)
}

const NOTE = 'n begins a note beside your answer. To answer in own words: Esc, then another letter.'
const COMMENTS =
  'Comments on the plan, such as 12: TEXT for line 12. Ctrl-J begins the next one. Esc goes back.'
const NOTE_IN_WALK = 'This is a note beside your answer. Esc goes back.'
const NO_KEY = 'A number picks, Enter sends, Esc goes back.'
const REVIEW_KEYS =
  'Letters and digits do nothing here. ↑ or ↓ and Enter choose an answer to change, or send.'

function enter(form: Pressed, marked: Row | undefined) {
  const { session, snapshot, state, drawing } = form
  const question = questionOf(snapshot, state)
  if (!mayChoose(form, marked)) return form.set({ problem: UNREAD })
  if (!marked && state.isWalk && drawing.listLength === 0)
    return moveToKind(form, drawing.rows.some(({ kind }) => kind === 'own') ? 'own' : 'file')
  if (!marked) return form.set({ problem: 'Nothing is marked yet: press a number, or ↑ or ↓.' })
  switch (marked?.kind) {
    case 'stay':
      return show(form, state.step)
    case 'reason':
      return session.decline(state.reason.trim() || undefined)
    case 'ask':
      return state.reason.trim() === ''
        ? form.set({ problem: 'Type what you want to ask.' })
        : session.askBack(state.reason.trim())
    case 'send':
      return send(form)
    case 'decline':
      return decline(form)
    case 'answer':
      return goTo(form, marked.index)
    case 'edit':
      return openEdit(form)
    case 'more':
      return openScopes(form)
    case 'allow changed':
      return question && state.edit?.changed
        ? allow(form, question, { input: state.edit.changed.input })
        : undefined
    case 'scope':
      return question && allow(form, question, { scope: marked.scope.id })
    case 'take over':
      return session.takeOver(marked.person.id)
    case 'skip':
      session.skip((question as AskedQuestion).id)
      return goOn(form)
    case 'let stand':
      letStand(form.session, question as AskedQuestion)
      // As with an option: a mark that the form has set sends nothing.
      return state.hasMarked ? goOn(form) : show(form, state.step)
    case 'note':
      return leaveField(form)
    case 'file':
      return question && void addFile(form, question)
    case 'option':
      return question && !(question.multiSelect && isPicked(snapshot, question, marked))
        ? choose(form, question, marked)
        : goOn(form)
    default:
      return goOn(form)
  }
}

/** Esc: back from a text field, without a filter, then to the choice of declining. It never declines by itself. */
function goBack(form: Pressed, marked: Row | undefined) {
  const { state, drawing } = form
  if (state.part === 'changes') return editOn(form)
  if (state.part !== 'question') {
    show(form, state.step)
    // What was read before is known.
    return state.part === 'scopes' ? form.set({ hasReadAll: state.hasReadAll }) : undefined
  }
  if (isFiltering(state)) return filterBy(form, '')
  if (
    (marked?.kind === 'own' || marked?.kind === 'file' || marked?.kind === 'note') &&
    drawing.listLength > 0
  )
    return leaveField(form)
  if (state.isWalk) return drawing.listLength === 0 ? form.set({ mark: -1 }) : undefined
  form.set({ part: 'decline', mark: 0, cursor: state.reason.length })
}

/** Back to the list. In an approval, nothing that allows has the mark before the person puts it there. */
function leaveField(form: Pressed) {
  if (form.state.asked.kind === 'approval') form.set({ mark: -1, problem: '' })
  else moveTo(form, form.state.anchor, false)
}

function type(key: Key, form: Pressed, marked: Row) {
  const { session, snapshot, state } = form
  const field = fieldOf(marked, snapshot, state)
  const pasted = key.name === 'paste' ? { ...key, name: '' } : key
  const edited = field && edit(field, pasted)
  const question = questionOf(snapshot, state)
  if (marked.kind === 'file' && field?.text === '' && key.name === 'backspace' && question)
    return removeFile(form, question)
  if (!edited) return
  form.set({ cursor: edited.cursor })
  if (edited.text === field.text) return
  if (marked.kind === 'reason' || marked.kind === 'ask') form.set({ reason: edited.text })
  else if (marked.kind === 'file') form.set({ path: edited.text })
  else if (marked.kind === 'note' && question) session.setNotes(question.id, edited.text)
  else if (question) typeOwn(form, question, edited.text)
}

/** A secret is kept in this form alone, until Enter encrypts it. */
function typeOwn({ session, state }: Pressed, { id, secret }: AskedQuestion, text: string) {
  if (!secret) return session.setFreeText(id, text)
  state.secrets.set(id, text)
  void giveSecret(session, id, text, () => state.secrets.get(id) === text)
}

/**
 * What is typed or pasted onto a list begins an answer in own words: what follows is typed there. Pasted digits pick nothing.
 */
function typeAnswer(form: Pressed, question: AskedQuestion, { text }: Key) {
  if (!allowsFreeText(question) && !question.secret)
    return form.set({ problem: 'Own words are no answer here: pick an option.' })
  const { secret, id } = question
  const before = secret ? form.state.secrets.get(id) : enteredFor(form.snapshot, question).freeText
  typeOwn(form, question, (before ?? '') + text)
  moveToKind(form, 'own')
}

/** Where a person declines, whatever is typed says why. */
function typeReason({ state, drawing, set }: Pressed, { text }: Key) {
  const reason = state.reason + text
  set({
    reason,
    mark: drawing.rows.findIndex(({ kind }) => kind === 'reason'),
    hasMarked: true,
    cursor: reason.length,
  })
}

function filterBy(form: Pressed, filter: string) {
  form.set({ filter, isFiltering: false, mark: 0, anchor: 0, hasMarked: filter !== '' })
}
