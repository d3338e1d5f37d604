import type { Key } from '../../keyboard/key.ts'
import type { BatchDecision } from '../../walk/batch.ts'
import { TOO_SMALL, UNREAD } from '../choose.ts'
import type { Drawing } from '../draw/drawing.ts'
import type { BatchState } from './batch-view.ts'

/** What a key does in a batch. */
export type BatchAct =
  | { kind: 'change'; state: Partial<BatchState> }
  | { kind: 'decide'; decision: BatchDecision }
  | { kind: 'leave' }

const NO_KEY = 'Space shows more, 1 and 2 pick, Enter sends, Esc goes back.'

/** @param text which lines are shown, and how many were never shown */
export function pressBatch(key: Key, { marked, hasReadAll }: BatchState, text: Drawing['text']): BatchAct {
  const { from, to, length, unread } = text
  const read = { hasReadAll: hasReadAll || unread === 0 }
  const change = (state: Partial<BatchState>): BatchAct => ({ kind: 'change', state: { ...read, ...state } })
  if (key.name === 'escape') return { kind: 'leave' }
  if (key.text === ' ' || key.name === 'pagedown') {
    if (to === length) return change({})
    return change(to === from ? { problem: TOO_SMALL } : { scrolled: to })
  }
  if (key.name === 'pageup') return change({ scrolled: Math.max(0, from - Math.max(1, to - from)) })
  const wanted = key.name === 'return' ? marked : wantedBy(key, marked)
  if (wanted === 'allowOnce' && unread > 0) return change({ problem: UNREAD })
  if (key.name !== 'return') return change(wanted ? { marked: wanted } : { problem: NO_KEY })
  return marked
    ? { kind: 'decide', decision: marked }
    : change({ problem: 'Nothing is picked yet: press 1 or 2.' })
}

function wantedBy({ text, name }: Key, marked: BatchDecision | null): BatchDecision | null {
  if (text === '1' || text === 'a') return 'allowOnce'
  if (text === '2' || text === 'd') return 'deny'
  if (name === 'up') return 'allowOnce'
  return name === 'down' ? (marked === null ? 'allowOnce' : 'deny') : null
}
