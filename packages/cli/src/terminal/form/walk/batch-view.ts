import { quotedName } from '@sandagent/core/internal'
import type { BatchDecision } from '../../walk/batch.ts'
import type { Batch } from '../../walk/entry.ts'
import type { Walk } from '../../walk/walk.ts'
import { behindBar, bodyLines, windowOf } from '../draw/draw-texts.ts'
import type { Drawing } from '../draw/drawing.ts'
import { WIDEST_TEXT } from '../draw/drawing.ts'
import type { Paint } from '../draw/paint.ts'
import { countOf, cutLine, wrap } from '../draw/wrap.ts'
import { firstState, type Size } from '../form-state.ts'

/** What is shown of a batch, and where the mark is. */
export interface BatchState {
  scrolled: number
  hasReadAll: boolean
  marked: BatchDecision | null
  problem: string
}

export const FIRST_BATCH_STATE: BatchState = { scrolled: 0, hasReadAll: false, marked: null, problem: '' }

/** Each call in full, one below the other, in pages. Nothing can be allowed before the last page was shown. */
export function drawBatch(
  { toolName, entries }: Batch,
  state: BatchState,
  {
    nameOf,
    paint,
    size,
    now,
    hasArrived,
  }: { nameOf: Walk['nameOf']; paint: Paint; size: Size; now: number; hasArrived: boolean },
): { lines: string[]; text: Drawing['text'] } {
  const width = Math.min(Math.max(20, size.columns - 1), WIDEST_TEXT)
  const { length } = entries
  const calls = entries.flatMap(({ item, open }, index) => {
    const snapshot = open.session.getSnapshot()
    const view = { snapshot, held: null, state: { ...firstState, asked: open.record }, paint, width, now }
    return [
      ...(index > 0 ? [''] : []),
      paint.bold(cutLine(`Call ${index + 1} of ${length} · ${nameOf(item)}`, width)),
      ...bodyLines(view).map((line) => behindBar(line, paint)),
    ]
  })
  const title = cutLine(`${countOf(length, 'call')} of ${quotedName(toolName)}, decided together`, width)
  const rows = (['allowOnce', 'deny'] as const).map((decision, index) => {
    const isMarked = state.marked === decision
    const label = `${index + 1}. ${isMarked ? '●' : '○'} ${decision === 'deny' ? 'Deny' : 'Allow'} all ${length}${decision === 'deny' ? '' : ', each once'}`
    return { label: `${isMarked ? '❯ ' : '  '}${label}`, decision, isMarked }
  })
  const keys = (unread: number): string =>
    [
      unread > 0 ? 'Space more lines' : 'PgUp/PgDn text',
      unread > 0 ? '2 deny' : '1–2 pick',
      state.marked && 'Enter send',
      'Esc back to one',
    ]
      .filter(Boolean)
      .join(' · ')
  const problem = state.problem === '' ? [] : wrap(state.problem, width).slice(0, 2).map(paint.bad)
  // The text has what its title, two rows, the keys and two empty lines leave.
  const most = Math.max(2, size.rows - 7 - problem.length)
  const view = { state: { ...firstState, ...state }, paint, width }
  const { lines: shown, ...text } = windowOf(calls, most, view)
  const foot = rows
    .filter(({ decision }) => decision === 'deny' || text.unread === 0)
    .map(({ label, isMarked }) => (isMarked ? paint.mark(label) : label))
  const lines = [
    paint.bold(title),
    '',
    ...shown,
    '',
    ...foot,
    ...problem,
    hasArrived ? paint.dim(cutLine(keys(text.unread), width)) : '',
  ]
  return { lines: lines.slice(0, Math.max(1, size.rows - 1)), text }
}
