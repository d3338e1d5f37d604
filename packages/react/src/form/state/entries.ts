import {
  type AskedQuestion,
  allowsFreeText,
  findOption,
  isAnswer,
  isRequired,
  missingIn,
  type QuestionOption,
  responseTo,
  withLineBreaks,
} from '@sandagent/core/internal'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'

type Ask = Pick<UseAskUserQuestionReturn, 'questions' | 'responses'>

/** The entries for a question: picked options, typed text, note. */
export interface Entry {
  selected: readonly string[]
  freeText: string
  notes: string
  isSkipped: boolean
  /** Whether it is the agent's default for a time-out. */
  isDefault: boolean
  /** Whether it holds an answer. */
  isAnswered: boolean
}

export function entryOf({ responses }: Pick<Ask, 'responses'>, question: AskedQuestion): Entry {
  const response = responseTo(responses, question)
  const isSkipped = response !== undefined && 'skipped' in response
  const given = isSkipped ? undefined : response
  return {
    selected: given?.selected ?? [],
    freeText: withLineBreaks(given?.freeText ?? ''),
    notes: withLineBreaks(response?.notes ?? ''),
    isSkipped,
    isDefault: given?.source === 'default',
    isAnswered: isAnswer(response),
  }
}

/** The questions that need an answer before the form can be sent. */
export const openQuestions = (ask: Ask): AskedQuestion[] => missingIn(ask.questions, ask.responses)

/** Whether sending would decline: no question has an answer, and those that need one are skipped. */
export const wouldDecline = (ask: Ask, isPartial = false): boolean =>
  ask.questions.some(isRequired) &&
  ask.questions.every((question) => !entryOf(ask, question).isAnswered) &&
  (isPartial || openQuestions(ask).length === 0)

/** Whether declining would drop any entry. */
export const hasEntries = (ask: Ask): boolean =>
  ask.questions.some((question) => {
    const { isAnswered, notes } = entryOf(ask, question)
    return isAnswered || notes.trim() !== ''
  })

/** The first question without an answer that takes a typed one. */
export const nextTyped = (ask: Ask): AskedQuestion | undefined =>
  ask.questions.find((question) => {
    const { isAnswered, isSkipped } = entryOf(ask, question)
    return (
      !isAnswered &&
      !isSkipped &&
      (allowsFreeText(question) || !(question.options?.length || question.secret))
    )
  })

export const isSingleChoice = ({ options, multiSelect }: AskedQuestion): boolean =>
  options !== undefined && options.length > 0 && !multiSelect

/**
 * Whether all questions are single choices and a pick for this one would be the last. If the pick would drop typed text,
 * it is not the last: the person must see that first.
 */
export const completesSet = (ask: Ask, picked: AskedQuestion): boolean =>
  ask.questions.every((question) => {
    const { selected, freeText } = entryOf(ask, question)
    const isPicked = question.id === picked.id || selected.length > 0
    return isSingleChoice(question) && !question.files && isPicked && freeText.trim() === ''
  })

/** The labels picked and the typed text, as far as they are the answer. */
export const saidIn = (question: AskedQuestion, entry: Entry): string[] => [
  ...pickedIn(question, entry).map(({ label }) => label),
  ownWordsOf(question, entry),
]

/** The options picked. */
export const pickedIn = (question: AskedQuestion, { selected }: Entry): QuestionOption[] =>
  selected.map((value) => findOption(question, value) ?? { label: value })

/** The typed text, if it is part of the answer. A picked single choice takes its place. */
export const ownWordsOf = ({ multiSelect }: AskedQuestion, { freeText, selected }: Entry): string =>
  multiSelect || selected.length === 0 ? freeText : ''

/** The questions of a closed call whose entries on this page were not sent. */
export function unsentOf({
  questions,
  responses,
  entered,
}: Ask & { entered: Ask['responses'] }): AskedQuestion[] {
  const said = (question: AskedQuestion, given: Ask['responses']): string => {
    const entry = entryOf({ responses: given }, question)
    return saidIn(question, entry).sort().join('\n').trim() || entry.notes.trim()
  }
  return questions.filter((question) => {
    const mine = said(question, entered)
    return mine !== '' && mine !== said(question, responses)
  })
}
