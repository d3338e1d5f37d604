import { allowsFreeText } from '@sandagent/core/internal'
import type { OpenQuestion } from '../../session/open-session.ts'
import { cutLine, wrap } from '../draw/wrap.ts'
import { isFilterable, isPlan } from '../rows.ts'

type Keys = readonly (readonly [keys: string, effect: string])[]

/** The keys of a walk, and what they do with the questions that are shown. */
export function keysFor(open: Pick<OpenQuestion, 'record' | 'session'> | undefined): Keys {
  const { questions = [], view } = open?.session.getSnapshot() ?? {}
  const { kind, subject } = open?.record ?? {}
  const isApproval = kind === 'approval'
  const hasOptions = questions.some(({ options = [] }) => options.length > 0)
  const takesOwn = hasOptions && questions.some(allowsFreeText)
  const keys: (Keys[number] | false | undefined)[] = [
    ['j k', 'next question, the one before'],
    hasOptions && ['1 … 9', 'pick an option'],
    open !== undefined && ['Enter', hasOptions ? 'send what is picked' : 'type, then send'],
    isApproval && ['a', 'pick Allow once'],
    isApproval ? ['d', 'pick Deny; twice: decline and say why'] : open !== undefined && ['d', 'decline'],
    takesOwn && ['o', 'own words'],
    questions.some(({ files }) => files) && ['f', 'a file, by its path'],
    hasOptions && !isApproval && ['n', 'a note beside the answer'],
    open && isPlan({ asked: open.record }) && ['n', 'comments on lines of the plan'],
    subject?.editable === true && ['c', 'change the call before you allow it'],
    view?.scopes !== undefined && ['m', 'allow more than this call'],
    isApproval && ['Space', 'more of a long call'],
    questions.some(({ multiSelect }) => multiSelect === true) && ['Space', 'check'],
    questions.some(isFilterable) && ['/', 'filter a long list'],
    open !== undefined && ['s', 'not now: back after an hour'],
    ['z', 'undo'],
    isApproval && ['b', 'all approvals of this tool together'],
    ['Esc', 'back'],
    ['Ctrl-C', 'leave; all goes on waiting'],
  ]
  return keys.filter((each) => each !== false && each !== undefined)
}

/** A line for each key, or one after the other where there is no room for that. */
export function helpLines(keys: Keys, width: number, rows: number): string[] {
  const lines = keys.map(([key, effect]) => cutLine(`  ${key.padEnd(8)}${effect}`, width))
  const most = rows - 1
  if (lines.length <= most) return [...lines, 'Any key goes back.']
  return wrap(keys.map(([key, effect]) => `${key}: ${effect}`).join(' · '), width).slice(0, rows)
}
