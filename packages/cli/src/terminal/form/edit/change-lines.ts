import {
  type ApprovalSubject,
  type InputChange,
  inputChanges,
  jsonText,
  type LineChange,
  lineChanges,
} from '@sandagent/core/internal'
import { differenceLines, shownName, subjectLines, textLines } from '../../subject-lines.ts'
import { countOf, hanging, wrap } from '../draw/wrap.ts'

/** How many lines that stay are shown beside those that change: all of the call follows. */
const NEAR = 2

/** The lines that were made before: a form is drawn again at every key. */
const known = new WeakMap<ApprovalSubject, { width: number; lines: string[] }>()

/** What a person has changed in a call, each change in full, and then all of the call that runs. */
export function changeLines(asked: ApprovalSubject, changed: ApprovalSubject, width: number): string[] {
  const found = known.get(changed)
  if (found?.width === width) return found.lines
  const changes = inputChanges(asked.input, changed.input)
  const lines = [
    ...wrap('You change:', width),
    ...changes.flatMap((change) => [
      ...wrap(change.name === null ? '  Input:' : `  ${shownName(change.name)}:`, width),
      ...linesOf(change, width - 2).map((line) => `  ${line}`),
    ]),
    '',
    ...wrap('What runs then:', width),
    ...subjectLines(changed, width),
  ]
  known.set(changed, { width, lines })
  return lines
}

function linesOf(change: InputChange, width: number): string[] {
  // A text as it is, and all else as JSON. Where only one of both is a text, both are JSON: `5` is not `"5"`.
  const isText = (['before', 'after'] as const).every(
    (side) => !(side in change) || typeof change[side] === 'string',
  )
  const textOf = (value: unknown): string => (isText ? (value as string) : jsonText(value))
  if (!('after' in change)) return hanging('- ', textLines(textOf(change.before), width - 2))
  const before = 'before' in change ? textOf(change.before) : null
  return shortened(lineChanges(before, textOf(change.after))).flatMap((part) =>
    typeof part === 'number'
      ? wrap(`… ${countOf(part)} that stay${part === 1 ? 's' : ''}`, width)
      : differenceLines([part], width),
  )
}

/** The lines that change and those near them; of the others, how many there are. */
function shortened(changes: readonly LineChange[]): (LineChange | number)[] {
  const parts: (LineChange | number)[] = []
  changes.forEach((change, at) => {
    const near = changes.slice(Math.max(0, at - NEAR), at + NEAR + 1)
    const last = parts.at(-1)
    if (near.some(({ kind }) => kind !== 'same')) parts.push(change)
    else if (typeof last === 'number') parts[parts.length - 1] = last + 1
    else parts.push(1)
  })
  return parts
}
