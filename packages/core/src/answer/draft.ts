import { recordOf } from '../lib/objects.ts'
import { type AskedQuestion, allowsFreeText, findOption, optionValue } from '../question/question.ts'
import { bareText } from '../question/typed/typed-answer.ts'
import { questionTexts } from './answer-text.ts'
import {
  byQuestion,
  type GivenResponse,
  isAnswer,
  type QuestionResponse,
  type Responses,
  responseTo,
} from './response.ts'

/** What a person has entered so far: like a response, but a picked option may stand beside typed text. */
export type Draft = Readonly<Responses>

const EMPTY: GivenResponse = { selected: [], source: 'human' }

/** What is entered for a question, or nothing picked. For a skipped question it has the note only. */
export function enteredFor(draft: Draft, question: AskedQuestion): GivenResponse {
  const { skipped: _, ...entered }: GivenResponse & { skipped?: true } = {
    ...EMPTY,
    ...responseTo(draft, question),
  }
  return entered
}

const put = (draft: Draft, { id }: AskedQuestion, response: QuestionResponse): Draft => ({
  ...draft,
  [id]: response,
})

/** Finds a question by the key of its answer (its text, see `questionTexts`) or by its id. */
export function findQuestion(
  questions: readonly AskedQuestion[],
  textOrId: string,
): AskedQuestion | undefined {
  const index = questionTexts(questions).indexOf(textOrId)
  return questions[index] ?? questions.find(({ id }) => id === textOrId)
}

/**
 * Picks an option by value or label: a single choice replaces the one before, a multiple choice toggles. Text that
 * is no option becomes the typed answer where one is allowed, else nothing changes.
 *
 * @param input the edited input with which a tool call is allowed. One that was entered before does not count: the person may
 *   look at a form that shows none
 */
export function selectInDraft(
  draft: Draft,
  question: AskedQuestion,
  valueOrLabel: string,
  input?: unknown,
): Draft {
  const option =
    findOption(question, valueOrLabel) ?? question.options?.find(({ label }) => label === valueOrLabel)
  if (!option) return typeInDraft(draft, question, valueOrLabel)
  const value = optionValue(option)
  const before = enteredFor(draft, question)
  const others = before.selected.filter((selected) => selected !== value)
  const toggled = others.length < before.selected.length ? others : [...others, value]
  return put(draft, question, { ...before, selected: question.multiSelect ? toggled : [value], input })
}

/** Takes a part of a response that has a field of its own; `undefined` removes it. */
export function enterInDraft(draft: Draft, question: AskedQuestion, part: Partial<GivenResponse>): Draft {
  return put(draft, question, { ...enteredFor(draft, question), ...part })
}

/**
 * Takes what was typed as the answer, verbatim. On a single choice it takes the place of the option picked. Where no
 * typed answer is allowed, nothing changes.
 */
export function typeInDraft(draft: Draft, question: AskedQuestion, freeText: string): Draft {
  if (!allowsFreeText(question)) return draft
  const before = enteredFor(draft, question)
  return put(draft, question, { ...before, selected: question.multiSelect ? before.selected : [], freeText })
}

/** The entries as a draft is saved and kept. A secret leaves the page only when it is sent. */
export const unsealed = (draft: Draft): Draft =>
  recordOf(Object.keys(draft), (id) => {
    const { sealed: _, ...response } = draft[id] as GivenResponse
    return response
  })

/** Keeps a note beside the answer. */
export function noteInDraft(draft: Draft, question: AskedQuestion, notes: string): Draft {
  return put(draft, question, { ...(responseTo(draft, question) ?? EMPTY), notes })
}

/** Passes over a question on purpose; picking or typing takes that back. */
export function skipInDraft(draft: Draft, question: AskedQuestion): Draft {
  const { notes } = enteredFor(draft, question)
  return put(draft, question, { skipped: true, notes })
}

/**
 * The responses of a draft that is submitted. Text beside a single choice, and empty texts, are left out.
 */
export const submittedResponses = (questions: readonly AskedQuestion[], draft: Draft): Responses =>
  byQuestion(questions, (question): QuestionResponse | undefined => {
    const response = responseTo(draft, question)
    const noted = response?.notes?.trim() && { notes: response.notes }
    if (response && 'skipped' in response) return { skipped: true, ...noted }
    if (!isAnswer(response)) return undefined
    const { selected, freeText, sealed, input, files, source } = response
    const words = freeText && bareText(question, freeText)
    const given = (question.multiSelect || !selected.length) && words?.trim() ? words : undefined
    // In the order of keys that hosts have, too: equal answers are equal texts.
    return { selected, freeText: given, sealed, input, files, source, ...noted }
  })

/** Whether two drafts would be submitted as the same answer. */
export const sameAnswers = (questions: readonly AskedQuestion[], a: Draft, b: Draft): boolean =>
  sameDrafts(submittedResponses(questions, a), submittedResponses(questions, b))

/** Whether two drafts have the same entries, in the same order. */
export const sameDrafts = (a: Draft, b: Draft): boolean => JSON.stringify(a) === JSON.stringify(b)
