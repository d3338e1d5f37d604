import { type AskedQuestion, decisionOf, optionValue } from '@sandagent/core/internal'
import type { Key } from '../keyboard/key.ts'
import { pickNumber } from './choose.ts'
import { inLine } from './draw/wrap.ts'
import { moveToKind, type Pressed } from './move.ts'
import { isFilterable } from './rows.ts'

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
  if (text === '/' && isFilterable(question)) return form.set({ isFiltering: true })
  form.set({ problem: `“${inLine(text)}” is no key here. ? lists the keys.` })
}

/** The way to decline, with the mark on the reason: Enter declines. */
export function decline(form: Pressed): void {
  form.set({ isDeclining: true, mark: 1, hasMarked: true, cursor: form.state.reason.length })
}
