import { type AskedQuestion, decisionOf, optionValue } from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { mayChoose, pickNumber, UNREAD } from './choose.ts'
import { inLine } from './draw/wrap.ts'
import { openEdit } from './edit/press-edit.ts'
import { moveToKind, type Pressed, showPart } from './move.ts'
import { isFilterable } from './rows.ts'

/** The letters that lead to more than a decision, also where letters begin own words. */
export function pressCallKey({ text }: Key, form: Pressed): boolean {
  const kind = text === 'c' ? 'edit' : text === 'm' ? 'more' : undefined
  const row = form.drawing.rows.find((each) => each.kind === kind)
  if (!row) return false
  if (!mayChoose(form, row)) form.set({ problem: UNREAD })
  else if (row.kind === 'edit') openEdit(form)
  else openScopes(form)
  return true
}

/** What was read stays read: nothing of the call is shown there. */
export const openScopes = (form: Pressed): void => showPart(form, 'scopes', { hasReadAll: true })

/** In a walk, letters are keys. Those that are none say so. */
export function pressLetter({ text }: Key, form: Pressed, question: AskedQuestion) {
  const { rows } = form.drawing
  const isApproval = form.state.asked.kind === 'approval'
  const place = (decides: (decision: string) => boolean): number =>
    rows.findIndex((row) => row.kind === 'option' && decides(decisionOf(optionValue(row.option)) ?? ''))
  const deny = isApproval ? place((decision) => decision === 'deny') : -1
  if (text === 'd')
    return deny === -1 || deny === form.drawing.mark ? decline(form) : pickNumber(form, question, deny + 1)
  const allow = isApproval ? place((decision) => decision === 'allowOnce') : -1
  if (text === 'a' && allow !== -1) return pickNumber(form, question, allow + 1)
  if (text === 'o' && rows.some(({ kind }) => kind === 'own')) return moveToKind(form, 'own')
  if (text === 'f' && rows.some(({ kind }) => kind === 'file')) return moveToKind(form, 'file')
  if (text === '/' && isFilterable(question)) return form.set({ isFiltering: true })
  form.set({ problem: `“${inLine(text)}” is no key here. ? lists the keys.` })
}

/** The way to decline, with the mark on the reason: Enter declines. */
export function decline(form: Pressed): void {
  form.set({ part: 'decline', mark: 1, hasMarked: true, cursor: form.state.reason.length })
}
