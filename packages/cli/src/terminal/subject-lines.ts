import {
  type ApprovalReason,
  type ApprovalSubject,
  type CallReading,
  callHeading,
  type LineChange,
  lineChanges,
  planLines,
  type QuestionRecord,
  readCall,
  risksIn,
  visible,
} from '@sandagent/core/internal'
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
 * A tool call in full, in lines of at most `width` columns: what happens, what to look at, why, and all that it says besides.
 * No value looks like another one, and nothing in it is out of sight: what cannot be seen is written out, and rows of spaces
 * are counted. What the agent wrote stands behind a sign of its own, except names.
 */
export function subjectLines(subject: ApprovalSubject, width: number): string[] {
  const found = known.get(subject)
  if (found?.width === width) return found.lines
  const reading = readCall(subject)
  const risks = risksIn(subject).map(({ label }) => label)
  const { reasons = [] } = subject
  const lines = [
    ...wrap(callHeading(reading), width),
    ...mainLines(reading, width),
    ...(risks.length > 0 ? wrap(`Look at this: ${risks.join(' · ')}`, width) : []),
    ...captioned('It asks because:', saidBy('rule', reasons), width),
    ...captioned('The agent says:', saidBy('agent', reasons), width),
    ...captioned('Tool:', [subject.toolName], width),
    ...restLines(reading.rest, width),
  ]
  known.set(subject, { width, lines })
  return lines
}

const SIGNS = { same: ' ', removed: '-', added: '+' }

function mainLines(reading: CallReading, width: number): string[] {
  switch (reading.kind) {
    case 'command':
      return textLines(reading.command, width)
    case 'fetch':
      return textLines(reading.url, width)
    case 'plan':
      return numberedLines(reading.plan, width)
    case 'edit':
      return [
        ...textLines(reading.path, width),
        ...reading.edits.flatMap(({ before, after }) => differenceLines(lineChanges(before, after), width)),
      ]
    default:
      return []
  }
}

/** The lines of a plan behind their numbers, by which a person comments on them. */
function numberedLines(plan: string, width: number): string[] {
  const lines = planLines(plan)
  const digits = `${lines.length}`.length
  return lines.flatMap((line, index) =>
    hanging(`${`${index + 1}`.padStart(digits)} `, textLines(line, width - digits - 1)),
  )
}
export const differenceLines = (changes: readonly LineChange[], width: number): string[] =>
  changes.flatMap(({ kind, line }) => hanging(`${SIGNS[kind]} `, textLines(line, width - 2)))

const saidBy = (by: ApprovalReason['by'], reasons: readonly ApprovalReason[]): string[] =>
  reasons.filter((reason) => reason.by === by).map(({ text }) => text)

/** Texts behind what the form calls them; below it in a narrow terminal. None of their lines begins like a caption. */
function captioned(caption: string, texts: readonly string[], width: number): string[] {
  if (texts.length === 0) return []
  const isBeside = caption.length < width / 2
  const room = isBeside ? width - caption.length - 1 : width
  const lines = texts.flatMap((text) => textLines(text, room))
  return isBeside ? hanging(`${caption} `, lines) : [...wrap(caption, width), ...lines]
}

/** Indented: an agent chooses the names, too. */
function restLines(rest: unknown, width: number): string[] {
  if (rest === undefined) return []
  const lines = valueLines(rest, width - 2, 0).map((line) => `  ${line}`)
  return [...wrap('Input from the agent:', width), ...lines]
}

function valueLines(value: unknown, width: number, depth: number): string[] {
  if (typeof value === 'string') return textLines(value, width)
  if (!isNested(value)) return wrap(JSON.stringify(value) ?? 'nothing', width)
  if (depth === MOST_DEPTH) return textLines(JSON.stringify(value), width)
  const entries = Object.entries(value)
  return entries.flatMap(([name, entry]) => {
    const shown = shownName(name)
    const isShort = widthOf(shown) <= Math.min(WIDEST_NAME, width / 2) && !isNested(entry)
    if (isShort) return hanging(`${shown} `, valueLines(entry, width - widthOf(shown) - 1, depth + 1))
    const lines = valueLines(entry, width - 2, depth + 1)
    return [...wrap(`${shown}:`, width), ...lines.map((line) => `  ${line}`)]
  })
}

/** The name of a value, which an agent chooses. */
export const shownName = (name: string): string =>
  /^[\w.-]+$/.test(name) ? name : plain(JSON.stringify(name))

const isNested = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.keys(value).length > 0

/** A text of the call: line breaks begin lines, and a line that goes on has another sign. */
export const textLines = (text: string, width: number): string[] =>
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
