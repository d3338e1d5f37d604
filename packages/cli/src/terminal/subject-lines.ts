import { type ApprovalSubject, type QuestionRecord, visible } from '@sandagent/core/internal'
import { hanging, widthOf, wrap } from './form/draw/wrap.ts'

/** What kind of question is asked, and the tool call that an approval is for. */
export interface Asked {
  kind: QuestionRecord['kind']
  subject?: ApprovalSubject
}

/** Longer names of values stand on a line of their own. */
const WIDEST_NAME = 20
/** Deeper values are JSON. */
const MOST_DEPTH = 4
/** A longer beginning of a line is no indent. */
const MOST_INDENT = 16
/** Every line of a value stands behind the first sign, and what goes on a line behind the second one. */
const LINE = '│ '
const REST = '╎ '

/** The lines that were made before: a form is drawn again at every key. */
const known = new WeakMap<ApprovalSubject, { width: number; lines: string[] }>()

/**
 * A tool call in full, in lines of at most `width` columns. No value looks like another one, and nothing in it is out of
 * sight: what cannot be seen is written out, and rows of spaces are counted.
 */
export function subjectLines(subject: ApprovalSubject, width: number): string[] {
  const found = known.get(subject)
  if (found?.width === width) return found.lines
  const input = valueLines(subject.input, width, 0)
  const lines = [...wrap(`Permission for ${plain(subject.toolName)}:`, width), ...input]
  known.set(subject, { width, lines })
  return lines
}

function valueLines(value: unknown, width: number, depth: number): string[] {
  if (typeof value === 'string') return textLines(value, width)
  if (!isNested(value)) return wrap(JSON.stringify(value) ?? 'nothing', width)
  if (depth === MOST_DEPTH) return textLines(JSON.stringify(value), width)
  const entries = Object.entries(value)
  return entries.flatMap(([name, entry]) => {
    const shown = /^[\w.-]+$/.test(name) ? name : plain(JSON.stringify(name))
    const isShort = widthOf(shown) <= Math.min(WIDEST_NAME, width / 2) && !isNested(entry)
    if (isShort) return hanging(`${shown} `, valueLines(entry, width - widthOf(shown) - 1, depth + 1))
    const lines = valueLines(entry, width - 2, depth + 1)
    return [...wrap(`${shown}:`, width), ...lines.map((line) => `  ${line}`)]
  })
}

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** A text of the call: line breaks begin lines, and a line that goes on has another sign. */
const textLines = (text: string, width: number): string[] =>
  text
    .split(/\r\n|\n/)
    .flatMap((line) =>
      wrap(plain(line), width - LINE.length).map((part, index) => `${index === 0 ? LINE : REST}${part}`),
    )

/** A line in which nothing hides: also not behind a row of spaces, which would push it out of sight. */
export const plain = (line: string): string =>
  visible(line)
    .replace(/ {3,}/g, (spaces, at: number) =>
      at === 0 && spaces.length <= MOST_INDENT ? spaces : ` <${spaces.length} spaces> `,
    )
    .replace(/\t+/g, (tabs, at: number) =>
      at === 0 && tabs.length <= MOST_INDENT ? tabs : tabs.length === 1 ? '<tab>' : `<${tabs.length} tabs>`,
    )
