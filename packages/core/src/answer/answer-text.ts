import { own } from '../lib/objects.ts'
import { type AskedQuestion, findOption, optionValue } from '../question/question.ts'
import { byQuestion, type GivenResponse, isAnswer, type Responses, responseTo } from './response.ts'

/**
 * Answers as text by question text: the form of the SandAgent document and of Claude's tool result. Several
 * choices are joined by `", "`. A label with a comma and a space, or with a double quote, is written as a JSON string,
 * because Claude's own reader expects that form. A single choice is the label as it is. Typed words stay as they are,
 * unless {@link decodeAnswers} would read something else then.
 */
export type AnswerTexts = Record<string, string>

/**
 * The key of each question in {@link AnswerTexts}: its text. If an earlier question has the same text, ` (2)`, ` (3)` and
 * so on is added, so that no two questions share a key.
 */
export function questionTexts(questions: readonly AskedQuestion[]): string[] {
  const texts = questions.map(({ question }) => question)
  const taken = new Set(texts)
  return texts.map((text, index) => {
    let key = text
    for (let n = 2; texts.indexOf(text) < index && taken.has(key); n++) key = `${text} (${n})`
    taken.add(key)
    return key
  })
}

/** What was answered to a question: the labels picked, then what was typed. */
export function answerTexts(question: AskedQuestion, responses: Readonly<Responses>): string[] {
  const response = responseTo(responses, question)
  if (!isAnswer(response)) return []
  const labels = labelsOf(question, response.selected)
  return response.freeText?.trim() ? [...labels, response.freeText] : labels
}

const labelsOf = (question: AskedQuestion, selected: readonly string[]): string[] =>
  selected.map((value) => findOption(question, value)?.label ?? value)

/** Writes the answers as text. Questions without an answer have no key. */
export const encodeAnswers = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): AnswerTexts =>
  byQuestion(
    questions,
    (question) => {
      const response = responseTo(responses, question)
      return question.multiSelect && isAnswer(response)
        ? joined(question, response)
        : answerTexts(question, responses)[0]
    },
    questionTexts(questions),
  )

function joined(question: AskedQuestion, { selected, freeText = '' }: GivenResponse): string {
  const labels = labelsOf(question, selected).map((label) =>
    /, |"/.test(label) ? JSON.stringify(label) : label,
  )
  if (!freeText.trim()) return labels.join(SEPARATOR)
  const join = (typed: string): string => [...labels, typed].join(SEPARATOR)
  const read = decodeAnswer(question, join(freeText))
  const isRead = read.freeText === freeText && read.selected.length === selected.length
  return join(isRead ? freeText : JSON.stringify(freeText))
}

/**
 * Reads answers written by {@link encodeAnswers}, or by an older writer that joined labels without quoting.
 * A text that is no label is a typed answer, verbatim. An empty text, or a value of another type, is no answer.
 */
export const decodeAnswers = (
  questions: readonly AskedQuestion[],
  answers: Readonly<Record<string, unknown>>,
): Responses => {
  const keys = questionTexts(questions)
  return byQuestion(questions, (question, index) => {
    const text = own(answers, keys[index] as string)
    return typeof text === 'string' && text.trim() ? decodeAnswer(question, text) : undefined
  })
}

/** The keys of `answers` that belong to none of the questions. */
export const unknownAnswers = (
  questions: readonly AskedQuestion[],
  answers: Readonly<Record<string, unknown>>,
): string[] => {
  const keys = new Set(questionTexts(questions))
  return Object.keys(answers).filter((key) => !keys.has(key))
}

function decodeAnswer({ options = [], multiSelect }: AskedQuestion, text: string): GivenResponse {
  const values = new Map(options.map((option) => [option.label, optionValue(option)]))
  const isLabel = (part: string): boolean => values.has(part)
  // A single choice is its label as it is; writers that quote every comma are understood too.
  const whole = [text, unquoted(text)].find(isLabel) ?? text
  const parts = multiSelect ? splitAnswer(text, [...values.keys()]) : [whole]
  const selected = parts.flatMap((part) => values.get(part) ?? [])
  const typed = parts.filter((part) => !isLabel(part) && part.trim())
  const freeText = selected.length === 0 && parts.length > 1 ? text : typed.join(SEPARATOR)
  return { selected: [...new Set(selected)], ...(freeText && { freeText }), source: 'human' }
}

function splitAnswer(text: string, labels: string[]): string[] {
  let quotes = false
  const parts = cut(text, (at) => {
    const end = quotedEnd(at, text)
    quotes ||= end !== undefined
    return end
  })
  const cost = parts.length * labels.join('').length
  if (quotes || cost > MOST_COMPARED) return parts
  // A writer that quoted nothing: take the longest label that fits at each place, where that finds more.
  const byLength = labels.sort((a, b) => b.length - a.length)
  const greedy = cut(text, (at) =>
    byLength
      .filter((label) => text.startsWith(label, at))
      .map((label) => at + label.length)
      .find((end) => isPartEnd(text, end)),
  )
  const known = new Set(labels)
  const unknown = (list: string[]): number => list.filter((part) => !known.has(part)).length
  return unknown(greedy) < unknown(parts) ? greedy : parts
}

/** How many characters are compared to find labels without quotes. A hostile file could make it cost more. */
const MOST_COMPARED = 5_000_000

const SEPARATOR = ', '

const isPartEnd = (text: string, at: number): boolean => at === text.length || text.startsWith(SEPARATOR, at)

/** Cuts at `", "`, except inside a part whose end `wholeEnd` finds. */
function cut(text: string, wholeEnd: (at: number, text: string) => number | undefined): string[] {
  const parts: string[] = []
  for (let at = 0; at <= text.length; ) {
    const next = text.indexOf(SEPARATOR, at)
    const end = wholeEnd(at, text) ?? (next < 0 ? text.length : next)
    parts.push(unquoted(text.slice(at, end)))
    at = end + SEPARATOR.length
  }
  return parts
}

const QUOTED = /"(?:[^"\\]|\\.)*"/sy

/** Where a JSON string that is a whole part ends. */
function quotedEnd(at: number, text: string): number | undefined {
  QUOTED.lastIndex = at
  return QUOTED.test(text) && isPartEnd(text, QUOTED.lastIndex) ? QUOTED.lastIndex : undefined
}

/** The text of a JSON string. Any other text stays as it is, such as quotation marks that a person typed. */
function unquoted(text: string): string {
  try {
    return text.startsWith('"') ? JSON.parse(text) : text
  } catch {
    return text
  }
}
