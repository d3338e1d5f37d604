import { type AskedQuestion, findOption, isAnswer, missingIn, responseTo } from '@sandagent/core/internal'
import type { UseAskUserQuestionReturn } from '../../use-ask-user-question.ts'

type Ask = Pick<UseAskUserQuestionReturn, 'questions' | 'responses'>

/** What is entered for a question: the options picked, the words typed, the note beside them. */
export interface Entry {
  selected: readonly string[]
  freeText: string
  notes: string
  isSkipped: boolean
  /** Whether nobody gave it: the asker had set it for when the time runs out. */
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
    freeText: given?.freeText ?? '',
    notes: response?.notes ?? '',
    isSkipped,
    isDefault: given?.source === 'default',
    isAnswered: isAnswer(response),
  }
}

/** The questions that a submission would be held back for. */
export const openQuestions = (ask: Ask): AskedQuestion[] => missingIn(ask.questions, ask.responses)

/** Whether anything was entered that declining would leave out. */
export const hasEntries = (ask: Ask): boolean =>
  ask.questions.some((question) => {
    const { isAnswered, notes } = entryOf(ask, question)
    return isAnswered || notes.trim() !== ''
  })

export const isSingleChoice = ({ options, multiSelect }: AskedQuestion): boolean =>
  options !== undefined && options.length > 0 && !multiSelect

/**
 * Whether picking an option of this question is the last pick of a set of single choices. Typed words that the pick
 * would leave out are not sent past the person: they see so first.
 */
export const completesSet = (ask: Ask, picked: AskedQuestion): boolean =>
  ask.questions.every((question) => {
    const { selected, freeText } = entryOf(ask, question)
    const isPicked = question.id === picked.id || selected.length > 0
    return isSingleChoice(question) && isPicked && freeText.trim() === ''
  })

/** The labels of the options picked. */
export const labelsOf = (question: AskedQuestion, { selected }: Entry): string[] =>
  selected.map((value) => findOption(question, value)?.label ?? value)

/** The typed words, where they are part of the answer: a single choice takes their place. */
export const ownWordsOf = ({ multiSelect }: AskedQuestion, { freeText, selected }: Entry): string =>
  multiSelect || selected.length === 0 ? freeText : ''

/** Of a question that is closed: what was entered here and is not what counts. */
export function unsentOf({
  questions,
  responses,
  entered,
}: Ask & { entered: Ask['responses'] }): AskedQuestion[] {
  const said = (question: AskedQuestion, given: Ask['responses']): string => {
    const entry = entryOf({ responses: given }, question)
    const words = [...labelsOf(question, entry), ownWordsOf(question, entry)]
    return words.sort().join('\n').trim() || entry.notes.trim()
  }
  return questions.filter((question) => {
    const mine = said(question, entered)
    return mine !== '' && mine !== said(question, responses)
  })
}
