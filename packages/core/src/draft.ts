import { answerKeys } from './answer-text.ts'
import { type AskedQuestion, allowsFreeText, findOption, optionValue } from './question.ts'
import {
  type GivenResponse,
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
} from './response.ts'

/** What a person has entered for a question so far: like a response, but an option may stand beside kept text. */
export type Draft = Readonly<Responses>

const EMPTY: GivenResponse = { selected: [], source: 'human' }

const given = (response: QuestionResponse | undefined): GivenResponse =>
  response === undefined || 'skipped' in response
    ? { ...EMPTY, ...(response?.notes !== undefined && { notes: response.notes }) }
    : response

const put = (draft: Draft, question: AskedQuestion, response: QuestionResponse): Draft =>
  Object.fromEntries([...Object.entries(draft).filter(([id]) => id !== question.id), [question.id, response]])

/** Finds a question by the key of its answer (its text, see `answerKeys`) or by its id. */
export function findQuestion(
  questions: readonly AskedQuestion[],
  textOrId: string,
): AskedQuestion | undefined {
  const index = answerKeys(questions).indexOf(textOrId)
  return questions[index] ?? questions.find(({ id }) => id === textOrId)
}

/**
 * Picks an option by value or label: a single choice replaces the one before, a multiple choice toggles. Text that
 * is no option becomes the typed answer where one is allowed, else nothing changes.
 */
export function selectInDraft(draft: Draft, question: AskedQuestion, valueOrLabel: string): Draft {
  const option =
    findOption(question, valueOrLabel) ?? question.options?.find(({ label }) => label === valueOrLabel)
  if (!option) return typeInDraft(draft, question, valueOrLabel)
  const value = optionValue(option)
  const before = given(responseTo(draft, question))
  const without = before.selected.filter((selected) => selected !== value)
  const toggled = without.length < before.selected.length ? without : [...without, value]
  return put(draft, question, { ...before, selected: question.multiSelect ? toggled : [value] })
}

/**
 * Takes what was typed as the answer, verbatim. On a single choice it takes the place of the option picked. Where no
 * typed answer is allowed, nothing changes.
 */
export function typeInDraft(draft: Draft, question: AskedQuestion, freeText: string): Draft {
  if (!allowsFreeText(question)) return draft
  const before = given(responseTo(draft, question))
  return put(draft, question, { ...before, selected: question.multiSelect ? before.selected : [], freeText })
}

/** Keeps a note beside the answer. */
export function noteInDraft(draft: Draft, question: AskedQuestion, notes: string): Draft {
  return put(draft, question, { ...(responseTo(draft, question) ?? EMPTY), notes })
}

/** Passes over a question on purpose; picking or typing takes that back. */
export function skipInDraft(draft: Draft, question: AskedQuestion): Draft {
  const { notes } = given(responseTo(draft, question))
  return put(draft, question, { skipped: true, ...(notes !== undefined && { notes }) })
}

/** What a draft says when it is submitted: text kept beside a single choice is left out, and so are empty texts. */
export function submittedResponses(questions: readonly AskedQuestion[], draft: Draft): Responses {
  return Object.fromEntries(
    questions.flatMap((question): [string, QuestionResponse][] => {
      const response = responseTo(draft, question)
      if (response === undefined) return []
      const notes = response.notes?.trim() ? { notes: response.notes } : {}
      if ('skipped' in response) return [[question.id, { skipped: true, ...notes }]]
      if (!isAnswer(response)) return []
      const { selected, freeText, source } = response
      const typed = freeText?.trim() && (question.multiSelect || selected.length === 0) ? { freeText } : {}
      return [[question.id, { selected, ...typed, ...notes, source }]]
    }),
  )
}
