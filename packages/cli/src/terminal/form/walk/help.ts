import { cutLine, wrap } from '../draw/wrap.ts'

/** All keys of a walk, and what they do. */
const KEYS: readonly (readonly [string, string])[] = [
  ['j k', 'next question, the one before'],
  ['1 … 9', 'pick an option'],
  ['Enter', 'send what is picked'],
  ['a d', 'pick Allow once, or Deny'],
  ['d', 'decline; twice: deny and say why'],
  ['o n', 'own words, a note'],
  ['Space', 'check; more of a long call'],
  ['/', 'filter a long list'],
  ['s', 'not now: back after an hour'],
  ['z', 'undo'],
  ['b', 'all approvals of this tool together'],
  ['Esc', 'back'],
  ['Ctrl-C', 'leave; all goes on waiting'],
]

/** A line for each key, or one after the other where there is no room for that. */
export function helpLines(width: number, rows: number): string[] {
  const lines = KEYS.map(([keys, effect]) => cutLine(`  ${keys.padEnd(8)}${effect}`, width))
  const most = rows - 1
  if (lines.length <= most) return [...lines, 'Any key goes back.']
  return wrap(KEYS.map(([keys, effect]) => `${keys}: ${effect}`).join(' · '), width).slice(0, rows)
}
