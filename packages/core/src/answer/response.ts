import { canonicalJson } from '../lib/digest.ts'
import { own, recordOf } from '../lib/objects.ts'
import { type AskedQuestion, isRequired, type Question } from '../question/question.ts'
import type { Attachment } from './files/attachment.ts'

/** Who decided: a person, or the asker's own default after the time ran out. */
export type ResponseSource = 'human' | 'default'

/** An answer to one question. */
export interface GivenResponse {
  /** Values of the options picked, see `optionValue`; at most one unless the question is multi-select. */
  selected: string[]
  /** What the person typed as an answer, verbatim. */
  freeText?: string | undefined
  /** A secret, encrypted for the asker alone: see `sealSecret`. */
  sealed?: string | undefined
  /** What the person adds to the answer, verbatim. */
  notes?: string | undefined
  /** The input with which a tool call is allowed, if the person edited it. */
  input?: unknown
  /** Where the question takes files: what the person gave beside the rest. */
  files?: Attachment[] | undefined
  source: ResponseSource
}

/** A question passed over on purpose. */
interface SkippedResponse {
  skipped: true
  notes?: string | undefined
}

/** What was said to one question. */
export type QuestionResponse = GivenResponse | SkippedResponse

/** Responses by question id. */
export type Responses = Record<string, QuestionResponse>

/** The response to a question, if there is one. */
export const responseTo = (
  responses: Readonly<Responses>,
  question: AskedQuestion,
): QuestionResponse | undefined => own(responses, question.id)

/** The values of `answerOf` by `keys`, or by question id. A question whose value is `undefined` has no entry. */
export const byQuestion = <T>(
  questions: readonly AskedQuestion[],
  answerOf: (question: AskedQuestion, index: number) => T | undefined,
  keys: readonly string[] = questions.map(({ id }) => id),
): Record<string, T> => recordOf(keys, (_, index) => answerOf(questions[index] as AskedQuestion, index))

/** Whether a response has an answer: a picked option, a typed text, a secret or a file. A note alone is no answer. */
export const isAnswer = (response: QuestionResponse | undefined): response is GivenResponse =>
  response !== undefined &&
  !('skipped' in response) &&
  !!(response.selected.length || response.files?.length || response.freeText?.trim() || response.sealed)

/** The ids of the questions without an answer, in the order asked. */
export const unansweredIds = (
  questions: readonly AskedQuestion[],
  responses: Readonly<Responses>,
): string[] => questions.filter((question) => !isAnswer(responseTo(responses, question))).map(({ id }) => id)

/** Whether every question that needs an answer has one. */
export const isComplete = (questions: readonly AskedQuestion[], responses: Readonly<Responses>): boolean =>
  questions.every((question) => !isRequired(question) || isAnswer(responseTo(responses, question)))

/** Whether two sets of responses give the same answers, whatever the order of keys. */
export const sameResponses = (
  questions: readonly AskedQuestion[],
  a: Readonly<Responses>,
  b: Readonly<Responses>,
): boolean =>
  questions.every((question) => canonical(responseTo(a, question)) === canonical(responseTo(b, question)))

const canonical = (response: QuestionResponse | undefined): string => {
  const { selected, freeText, notes, files, ...rest }: Partial<GivenResponse & SkippedResponse> =
    response ?? {}
  const texts = [freeText || '', notes || '']
  return canonicalJson([rest, [...(selected ?? [])].sort(), texts, files?.length ? files : []])
}

/** What stands in for an answer, if the asker named it. */
export function defaultOf({
  defaultOption,
  defaultText,
}: Question): Pick<GivenResponse, 'selected' | 'freeText'> | undefined {
  if (defaultOption !== undefined) return { selected: [defaultOption] }
  return defaultText === undefined ? undefined : { selected: [], freeText: defaultText }
}

/** The asker's defaults for the questions that nobody answered, marked as such. */
export function withDefaults(questions: readonly AskedQuestion[], responses: Readonly<Responses>): Responses {
  const defaults = questions.flatMap((question): [string, QuestionResponse][] => {
    const standsIn = defaultOf(question)
    return standsIn && responseTo(responses, question) === undefined
      ? [[question.id, { ...standsIn, source: 'default' }]]
      : []
  })
  return Object.fromEntries([...Object.entries(responses), ...defaults])
}
