import { type AskedQuestion, decisionOf, optionValue } from '@sandagent/core/internal'
import { goTo, type Pressed } from './move.ts'
import { isPicked, type Row } from './rows.ts'

export const UNREAD = 'There is more to read before you decide: press Space.'
export const TOO_SMALL = 'Make the terminal larger: this must be read before it is allowed.'

/** Whether a row may be chosen. In an approval, all was shown before, or the row allows nothing. */
export function mayChoose(form: Pressed, row: Row | undefined): boolean {
  if (form.drawing.text.unread === 0 || form.state.isDeclining || row?.kind === 'note') return true
  return row?.kind === 'option' && decisionOf(optionValue(row.option)) === 'deny'
}

/** The number that an option shows picks it. One that is not in sight is shown first. */
export function pickNumber(form: Pressed, question: AskedQuestion, number: number) {
  const { page, rows, listLength } = form.drawing
  const place = number - 1
  const row = rows[place]
  if (place >= listLength || row?.kind !== 'option')
    return form.set({ problem: `There is no option ${number}.` })
  if (!mayChoose(form, row)) return form.set({ problem: UNREAD })
  form.set({ mark: place, anchor: place, hasMarked: true })
  const isInSight = place >= page.from && place < page.to
  if (!isInSight) return
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
  const isMeant = form.state.hasMarked || isPicked(form.snapshot, question, row)
  if (isMeant && !question.multiSelect) return pick(form, question, row)
  form.session.select(question.id, optionValue(row.option), { autoSubmit: false })
  form.set({ hasMarked: true })
}
