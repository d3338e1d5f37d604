import { own } from './own.ts'
import { type AskedQuestion, findOption, optionValue } from './question.ts'
import { type GivenResponse, isAnswer, type Responses, responseTo } from './response.ts'

/**
 * Answers as text by question text: the form of the SandAgent document and of Claude's tool result. Several
 * choices are joined by `", "`; a label that holds a comma and a space, or a double quote, stands there as a JSON
 * string, because Claude's own reader knows it in that form alone. A single choice is the label as it is.
 */
export type AnswerTexts = Record<string, string>

/**
 * The key of each question in {@link AnswerTexts}: its text, and for a text that was used already the text with
 * ` (2)`, ` (3)`, … so that no two questions share one.
 */
export function answerKeys(questions: readonly AskedQuestion[]): string[] {
  const taken = new Set(questions.map(({ question }) => question))
  const seen = new Set<string>()
  return questions.map(({ question }) => {
    if (!seen.has(question)) {
      seen.add(question)
      return question
    }
    let n = 2
    while (taken.has(`${question} (${n})`)) n++
    taken.add(`${question} (${n})`)
    return `${question} (${n})`
  })
}

/** Writes the answers as text. Questions without an answer have no key. */
export function encodeAnswers(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): AnswerTexts {
  const keys = answerKeys(questions)
  return Object.fromEntries(
    questions.flatMap((question, index): [string, string][] => {
      const response = responseTo(responses, question)
      return isAnswer(response) ? [[keys[index] as string, encodeAnswer(question, response)]] : []
    }),
  )
}

/**
 * Reads answers written by {@link encodeAnswers}, or by an older writer that joined labels without quoting.
 * Text that is no label is a typed answer, verbatim; empty text is no answer.
 */
export function decodeAnswers(
  questions: readonly AskedQuestion[],
  answers: Readonly<AnswerTexts>,
): Responses {
  const keys = answerKeys(questions)
  return Object.fromEntries(
    questions.flatMap((question, index): [string, GivenResponse][] => {
      const text = own(answers, keys[index] as string)
      return text === undefined || text.trim() === '' ? [] : [[question.id, decodeAnswer(question, text)]]
    }),
  )
}

/** The keys of `answers` that belong to none of the questions. */
export const unknownAnswerKeys = (
  questions: readonly AskedQuestion[],
  answers: Readonly<AnswerTexts>,
): string[] => {
  const keys = new Set(answerKeys(questions))
  return Object.keys(answers).filter((key) => !keys.has(key))
}

/** One answer as text: the labels picked, then what was typed. */
export function encodeAnswer(question: AskedQuestion, response: GivenResponse): string {
  const labels = response.selected.map((value) => findOption(question, value)?.label ?? value)
  const typed = response.freeText ?? ''
  if (!question.multiSelect) return labels[0] ?? typed
  const parts = labels.map((label) => (isBare(label) ? label : JSON.stringify(label)))
  // Typed words beside labels are always quoted: unquoted they could complete a neighbouring label.
  if (typed.trim() !== '') parts.push(parts.length === 0 && isBare(typed) ? typed : JSON.stringify(typed))
  return parts.join(SEPARATOR)
}

function decodeAnswer(question: AskedQuestion, text: string): GivenResponse {
  const values = new Map((question.options ?? []).map((option) => [option.label, optionValue(option)]))
  const parts = question.multiSelect ? splitAnswer(text, values) : [wholeAnswer(text, values)]
  const selected = parts.flatMap((part) => values.get(part) ?? [])
  const typed = parts.filter((part) => !values.has(part) && part.trim() !== '')
  const freeText = selected.length === 0 && parts.length > 1 ? text : typed.join(SEPARATOR)
  return { selected: [...new Set(selected)], ...(freeText !== '' && { freeText }), source: 'human' }
}

/** A single choice is its label as it is; writers that quote every comma are understood too. */
function wholeAnswer(text: string, labels: ReadonlyMap<string, unknown>): string {
  const quoted = text.startsWith('"') ? readQuoted(text, 0) : null
  return !labels.has(text) && quoted?.end === text.length && labels.has(quoted.text) ? quoted.text : text
}

function splitAnswer(text: string, labels: ReadonlyMap<string, unknown>): string[] {
  const parts = split(text, (at) => (text[at] === '"' ? readQuoted(text, at) : null))
  const known = (list: string[]): number => list.filter((part) => labels.has(part)).length
  if (known(parts) === parts.length || text.includes('"')) return parts
  // A writer that quoted nothing: take the longest label that fits at each place.
  const byLength = [...labels.keys()].sort((a, b) => b.length - a.length)
  const greedy = split(text, (at) => {
    const label = byLength.find(
      (candidate) => text.startsWith(candidate, at) && endsPart(text, at + candidate.length),
    )
    return label === undefined ? null : { text: label, end: at + label.length }
  })
  return greedy.length - known(greedy) < parts.length - known(parts) ? greedy : parts
}

/** Cuts at `", "`, except where `take` reads a longer part. */
function split(text: string, take: (at: number) => { text: string; end: number } | null): string[] {
  const parts: string[] = []
  for (let at = 0; at <= text.length; ) {
    const separator = text.indexOf(SEPARATOR, at)
    const bareEnd = separator === -1 ? text.length : separator
    const part = take(at) ?? { text: text.slice(at, bareEnd), end: bareEnd }
    parts.push(part.text)
    if (part.end === text.length) break
    at = part.end + SEPARATOR.length
  }
  return parts
}

const SEPARATOR = ', '
const QUOTED = /"(?:[^"\\]|\\.)*"/sy

function readQuoted(text: string, at: number): { text: string; end: number } | null {
  QUOTED.lastIndex = at
  const quoted = QUOTED.exec(text)?.[0]
  if (quoted === undefined || !endsPart(text, at + quoted.length)) return null
  try {
    return { text: JSON.parse(quoted) as string, end: at + quoted.length }
  } catch {
    return null // Quotation marks that a person typed, around something that is no JSON string.
  }
}

const endsPart = (text: string, at: number): boolean => at === text.length || text.startsWith(SEPARATOR, at)
const isBare = (text: string): boolean => !text.includes(SEPARATOR) && !text.includes('"')
