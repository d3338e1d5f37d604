import * as v from 'valibot'
import type { Fault } from './errors.ts'
import { type AskedQuestion, allowsFreeText, findOption, isRequired, optionValue } from './question.ts'
import { mapOf, own, parseWith } from './schema.ts'

/** Who decided: a person, or the asker's own default after the time ran out. */
export type ResponseSource = 'human' | 'default'

/** An answer to one question. */
export interface GivenResponse {
  /** Values of the options picked, see `optionValue`; at most one unless the question is multi-select. */
  selected: string[]
  /** What the person typed as an answer, verbatim. */
  freeText?: string
  /** What the person adds to the answer, verbatim. */
  notes?: string
  source: ResponseSource
}

/** A question passed over on purpose. */
export interface SkippedResponse {
  skipped: true
  notes?: string
}

export type QuestionResponse = GivenResponse | SkippedResponse

/** Responses by question id. */
export type Responses = Record<string, QuestionResponse>

const responseSchema = v.union(
  [
    v.object({ skipped: v.literal(true), notes: v.exactOptional(v.string()) }),
    v.object({
      selected: v.array(v.string()),
      freeText: v.exactOptional(v.string()),
      notes: v.exactOptional(v.string()),
      source: v.optional(v.picklist(['human', 'default']), 'human'),
    }),
  ],
  'a response: {selected: string[], freeText?, notes?} or {skipped: true}',
)

/** The shape of {@link Responses} in files and requests; whether they fit the questions is another matter. */
export const responsesSchema: v.GenericSchema<unknown, Responses> = mapOf(responseSchema)

/**
 * Reads responses by question id from a request.
 *
 * @throws AskError `INVALID_ANSWERS` with every fault.
 */
export const parseResponses = (input: unknown): Responses =>
  parseWith(responsesSchema, input, 'INVALID_ANSWERS', 'These responses cannot be read', 'responses')

/** The response to a question, if there is one. */
export const responseTo = (
  responses: Readonly<Responses>,
  question: AskedQuestion,
): QuestionResponse | undefined => own(responses, question.id)

/** Whether a response holds an answer: an option picked, or something typed. Notes alone are none. */
export const isAnswer = (response: QuestionResponse | undefined): response is GivenResponse =>
  response !== undefined &&
  !('skipped' in response) &&
  (response.selected.length > 0 || (response.freeText ?? '').trim() !== '')

/** The ids of the questions without an answer, in the order asked. */
export const unansweredIds = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): string[] => questions.filter((question) => !isAnswer(responseTo(responses, question))).map(({ id }) => id)

/** Whether every question that needs an answer has one. */
export const isComplete = (questions: readonly AskedQuestion[], responses: Readonly<Responses>): boolean =>
  questions.every((question) => !isRequired(question) || isAnswer(responseTo(responses, question)))

/**
 * Whether the responses can be given to these questions, as the list of what is wrong.
 *
 * @param final a submission: required questions need an answer or an explicit skip, and a single choice is one
 *   choice. A draft may still lack answers, and keep text that was typed before an option was picked.
 */
export function validateResponses(
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
  { final }: { final: boolean },
): Fault[] {
  const known = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(responses)
    .filter((id) => !known.has(id))
    .map((id) => ({ path: `responses.${id}`, expected: `one of the question ids ${list([...known])}` }))
  return [
    ...unknown,
    ...questions.flatMap((question) => responseFaults(question, responseTo(responses, question), final)),
  ]
}

function responseFaults(
  question: AskedQuestion,
  response: QuestionResponse | undefined,
  final: boolean,
): Fault[] {
  const path = `responses.${question.id}`
  if (!isAnswer(response)) {
    const missing = final && isRequired(question) && !(response && 'skipped' in response)
    return missing ? [{ path, expected: `an answer to "${question.question}", or {"skipped": true}` }] : []
  }
  const faults: Fault[] = []
  const typed = (response.freeText ?? '').trim() !== ''
  const options = question.options ?? []
  response.selected.forEach((value, index) => {
    if (!findOption(question, value))
      faults.push({ path: `${path}.selected.${index}`, expected: `one of ${list(options.map(optionValue))}` })
  })
  if (new Set(response.selected).size < response.selected.length)
    faults.push({ path: `${path}.selected`, expected: 'each option at most once' })
  if (!question.multiSelect && response.selected.length > 1)
    faults.push({ path: `${path}.selected`, expected: 'a single option' })
  if (final && !question.multiSelect && response.selected.length > 0 && typed)
    faults.push({ path, expected: 'either an option or a typed answer; words beside an option are notes' })
  if (typed && !allowsFreeText(question))
    faults.push({
      path: `${path}.freeText`,
      expected: `one of ${list(options.map(optionValue))}, not a typed answer`,
    })
  return faults
}

const list = (texts: readonly string[]): string => {
  const shown = texts
    .slice(0, 10)
    .map((text) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text))
  return texts.length > shown.length ? `${shown.join(', ')}, …` : shown.join(', ')
}

/** Whether two sets of responses give the same answers, whatever the order of keys. */
export const sameResponses = (
  questions: readonly AskedQuestion[],
  a: Readonly<Responses>,
  b: Readonly<Responses>,
): boolean =>
  questions.every((question) => canonical(responseTo(a, question)) === canonical(responseTo(b, question)))

const canonical = (response: QuestionResponse | undefined): string => {
  if (response === undefined) return 'null'
  if ('skipped' in response) return JSON.stringify(['skipped', response.notes ?? ''])
  return JSON.stringify([
    [...response.selected].sort(),
    response.freeText ?? '',
    response.notes ?? '',
    response.source,
  ])
}

/** The asker's defaults for the questions that nobody answered, marked as such. */
export function withDefaults(questions: readonly AskedQuestion[], responses: Readonly<Responses>): Responses {
  const defaults = questions.flatMap((question): [string, QuestionResponse][] =>
    question.defaultOption !== undefined && responseTo(responses, question) === undefined
      ? [[question.id, { selected: [question.defaultOption], source: 'default' }]]
      : [],
  )
  return Object.fromEntries([...Object.entries(responses), ...defaults])
}
