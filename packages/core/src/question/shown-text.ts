import { withLineBreaks } from '../lib/text/line-breaks.ts'
import { changeNames } from './kept-words.ts'
import type { Question, QuestionOption } from './question.ts'
import { shownOption } from './shown-option.ts'

/** A question in two parts. */
export interface ShownQuestion {
  /** The first line, without the signs of a Markdown heading. Empty if that line is a long one. */
  heading: string
  /** What follows it. The whole text if the text begins with a list, a table, a quotation or code. */
  body: string
}

/** What begins something that is longer than its first line. */
const BLOCK = /^(?: {4}|\t| {0,3}(?:[-+*>]\s|>|\d{1,9}[.)]\s|```|~~~|\|))/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/

/** A longer line is no heading, and a name is cut here. */
const TITLE_LENGTH = 300

/** Splits a question into its heading and the text below. */
export function shownQuestion({ question, textFormat }: Question): ShownQuestion {
  const text = withoutEmptyLines(withLineBreaks(question)).trimEnd()
  const [first, rest] = cutAt(text)
  const isPlain = textFormat === 'plain'
  if (first.length > TITLE_LENGTH || (!isPlain && BLOCK.test(first))) return { heading: '', body: text }
  if (isPlain) return { heading: first.trim(), body: withoutEmptyLines(rest) }
  const [underline, below] = cutAt(rest)
  return {
    heading: first.trim().replace(/^#{1,6}[ \t]+/, ''),
    body: withoutEmptyLines(UNDERLINE.test(underline) ? below : rest),
  }
}

/** A text without the empty lines at its beginning. */
const withoutEmptyLines = (text: string): string => text.replace(/^(?:[ \t]*\n)+/, '')

/** The first line, and what follows it. */
function cutAt(text: string): [string, string] {
  const at = text.indexOf('\n')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** A question in one line without Markdown signs: for accessible names, notifications and lists. */
export function questionTitle(question: Question): string {
  const { heading, body } = shownQuestion(question)
  if (question.textFormat === 'plain') return cut((heading || body).trim())
  const line =
    heading ||
    (body
      .split('\n', 20)
      .map(withoutBlockSigns)
      .find((each) => /[\p{L}\p{N}]/u.test(each)) ??
      '')
  return withoutSigns(line)
}

/** The label of an option in one line without Markdown signs, but with those of paths and names. */
export function optionTitle(question: Question, option: QuestionOption): string {
  const { label, textFormat } = shownOption(question, option)
  if (textFormat === 'plain') return cut(label)
  const names: string[] = []
  const rest = changeNames(label.replaceAll(NAME, ''), (name) => `${NAME}${names.push(name) - 1}${NAME}`)
  return withoutSigns(rest).replace(/\ufdd2(\d+)\ufdd2/g, (_, index: string) => names[Number(index)] ?? '')
}

/** Stands around the position of a name. It is no character. */
const NAME = '\ufdd2'

const cut = (text: string): string => (text.length > TITLE_LENGTH ? `${text.slice(0, TITLE_LENGTH)}…` : text)

/** A line without the signs of lists, quotations, tables and code. */
const withoutBlockSigns = (line: string): string =>
  /^\s*(?:```|~~~)/.test(line)
    ? ''
    : line.slice(0, TITLE_LENGTH + 1).replace(/^\s*(?:(?:[-+*>]|\d{1,9}[.)]|#{1,6})\s+|\|\s*)+/, '')

/** A line without the signs of emphasis, code and links. */
function withoutSigns(line: string): string {
  let text = cut(line)
  // Emphasis can be nested, so the longer signs go first.
  for (const sign of SIGNS) text = text.replace(sign, '$1')
  return text
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ')
    .trim()
}

const SIGNS = [
  /!?\[([^[\]]*)\]\([^()\s]*(?:\s[^()]*)?\)/g,
  /<((?:https?:|mailto:)[^<>\s]*)>/gi,
  /\*\*(?=\S)([^*]*[^*\s])\*\*/g,
  /(?<!\w)__(?=\S)([^_]*[^_\s])__(?!\w)/g,
  /\*(?=\S)([^*]*[^*\s])\*/g,
  /(?<!\w)_(?=\S)([^_]*[^_\s])_(?!\w)/g,
  /`([^`]+)`/g,
]
