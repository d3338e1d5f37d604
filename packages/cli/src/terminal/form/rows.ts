import {
  type AskedQuestion,
  type AskSnapshot,
  allowsFreeText,
  assumptionOf,
  decisionOf,
  type GivenResponse,
  type GrantScope,
  isRange,
  isRequired,
  type NumberAnswer,
  type OtherPerson,
  optionFor,
  optionTitle,
  optionValue,
  planIn,
  type QuestionOption,
  responseTo,
  takesOnlyFiles,
  typedOf,
} from '@sandagent/core/internal'
import type { FormState } from './form-state.ts'

/** What a person can move the mark to. `own`, `file`, `note`, `reason`, `ask` and `input` are text fields. */
export type Row =
  | { kind: 'option'; option: QuestionOption }
  | { kind: 'own' }
  | { kind: 'file' }
  | { kind: 'note' }
  | { kind: 'skip' }
  | { kind: 'let stand'; assumption: string }
  | { kind: 'take over'; person: OtherPerson }
  | { kind: 'answer'; question: AskedQuestion; index: number }
  | { kind: 'send' }
  | { kind: 'decline' }
  | { kind: 'stay' }
  | { kind: 'reason' }
  | { kind: 'ask' }
  | { kind: 'edit' }
  | { kind: 'input' }
  | { kind: 'allow changed' }
  | { kind: 'more' }
  | { kind: 'scope'; scope: GrantScope }

/** Whether a number picks a row of the list. */
export const hasNumber = ({ kind }: Row): boolean =>
  kind === 'option' || kind === 'scope' || kind === 'allow changed'

/** A list with more options than number keys can be filtered by typing. */
export const NUMBER_KEYS = 9

export const questionOf = ({ questions }: AskSnapshot, { step }: FormState): AskedQuestion | undefined =>
  questions[step]

/** The limits of a number that is one text. The ends of a range are typed. */
export const numberOf = (question: AskedQuestion): NumberAnswer | undefined => {
  const typed = typedOf(question)
  return typed?.kind === 'number' && !isRange(typed) ? typed : undefined
}

export const isFilterable = ({ options = [] }: AskedQuestion): boolean => options.length > NUMBER_KEYS

/** Whether characters are a part of the filter. */
export const isFiltering = (state: FormState): boolean => state.isFiltering || state.filter !== ''

/** The rows of what is shown: first a list, which may have several pages, then the rows that are always there. */
export function rowsOf(snapshot: AskSnapshot, state: FormState): { list: Row[]; rest: Row[] } {
  switch (state.part) {
    case 'decline': {
      const ask: Row[] = snapshot.takesQuestions ? [{ kind: 'ask' }] : []
      return { list: [], rest: [{ kind: 'stay' }, { kind: 'reason' }, ...ask] }
    }
    case 'edit':
      return { list: [], rest: [{ kind: 'input' }] }
    case 'changes':
      return { list: [{ kind: 'allow changed' }], rest: [] }
    case 'scopes':
      return { list: (state.scopes ?? []).map((scope): Row => ({ kind: 'scope', scope })), rest: [] }
  }
  const question = questionOf(snapshot, state)
  if (!question) {
    const list = snapshot.questions.map((each, index): Row => ({ kind: 'answer', question: each, index }))
    // An agent takes an answer without any answer for a refusal: so it is called one.
    const hasAnswer = Object.values(snapshot.states).includes('answered')
    return { list, rest: [{ kind: hasAnswer ? 'send' : 'decline' }] }
  }
  const { options = [], multiSelect } = question
  const { subject } = state.asked
  const hasScopes = state.scopes !== null && state.scopes.length > 0
  const mayAllow = subject !== undefined && optionFor(question, 'allowOnce') !== undefined
  const list = offered(options, hasScopes)
    .filter((option) => matches(question, option, state.filter))
    .map((option): Row => ({ kind: 'option', option }))
  const isChoice = options.length > 0
  const assumption = assumptionIn(snapshot, question)
  const rest: (Row | false)[] = [
    assumption !== undefined && { kind: 'let stand', assumption },
    (allowsFreeText(question) || !(isChoice || takesOnlyFiles(question))) && { kind: 'own' },
    question.files !== undefined && { kind: 'file' },
    isChoice && (state.asked.kind !== 'approval' || isPlan(state)) && { kind: 'note' },
    isChoice && !multiSelect && !isRequired(question) && { kind: 'skip' },
    mayAllow && subject.editable === true && { kind: 'edit' },
    mayAllow && hasScopes && { kind: 'more' },
    ...snapshot.others
      .filter(({ responses }) => responseTo(responses, question) !== undefined)
      .map((person): Row => ({ kind: 'take over', person })),
  ]
  return { list, rest: rest.filter((row) => row !== false) }
}

/** Where scopes are, the agent's own "Allow for this session" is not: nobody sees later what it has allowed. */
export const offered = (options: readonly QuestionOption[], hasScopes: boolean): QuestionOption[] =>
  options.filter((option) => !hasScopes || decisionOf(optionValue(option)) !== 'allowSession')

/** Whether a plan is to be accepted: a person may comment on its lines. */
export const isPlan = ({ asked: { subject } }: Pick<FormState, 'asked'>): boolean =>
  subject !== undefined && planIn(subject) !== undefined

/** Spaces do not count: the space bar checks options. */
function matches(question: AskedQuestion, option: QuestionOption, filter: string): boolean {
  const bare = (text: string): string => text.toLocaleLowerCase().replace(/\s+/g, '')
  return bare(`${optionTitle(question, option)} ${option.description ?? ''}`).includes(bare(filter))
}

/** What the agent goes on with, as long as nothing else is entered. */
export const assumptionIn = (snapshot: AskSnapshot, question: AskedQuestion): string | undefined =>
  snapshot.view?.blocking === false && responseTo(snapshot.entered, question) === undefined
    ? assumptionOf(question)
    : undefined

export function enteredFor(snapshot: AskSnapshot, question: AskedQuestion): Partial<GivenResponse> {
  const response = responseTo(snapshot.entered, question)
  return response && 'skipped' in response ? { notes: response.notes } : (response ?? {})
}

/** The input in what was entered: somebody has edited the call. */
export const editedFor = (snapshot: AskSnapshot, question: AskedQuestion): unknown =>
  enteredFor(snapshot, question).input

export const isPicked = (
  snapshot: AskSnapshot,
  question: AskedQuestion,
  { option }: Row & { kind: 'option' },
): boolean => (enteredFor(snapshot, question).selected ?? []).includes(optionValue(option))

/** The questions that need an answer, and have neither one nor the decision to leave them out. */
export const unansweredIn = ({ questions, states }: AskSnapshot): AskedQuestion[] =>
  questions.filter(
    (question) =>
      states[question.id] === 'invalid' || (states[question.id] === 'empty' && isRequired(question)),
  )
