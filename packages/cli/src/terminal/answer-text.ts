import {
  type AskedQuestion,
  findOption,
  optionTitle,
  type PageAnswer,
  printable,
  printableLine,
  type Responses,
  responseTo,
  typedText,
  visible,
} from '@sandagent/core/internal'

/** What was answered to a question, in one line; `null` for no answer. Texts of agents and people cannot draw over others. */
export function answerText(question: AskedQuestion, responses: Readonly<Responses>): string | null {
  const response = responseTo(responses, question)
  if (!response) return null
  if ('skipped' in response) return 'left out'
  const { selected, freeText = '' } = response
  const picked = selected.map((value) => {
    const option = findOption(question, value)
    return option ? optionTitle(question, option) : value
  })
  // A picked single choice takes the place of typed words.
  const words = question.multiSelect || picked.length === 0 ? freeText.trim() : ''
  const parts = [...picked, ...(words === '' ? [] : [typedText(question, words) ?? `“${words}”`])]
  if (response.sealed) parts.push('given')
  parts.push(...(response.files ?? []).map(({ name }) => name))
  if (response.input !== undefined) parts.push(`with the input ${visible(JSON.stringify(response.input))}`)
  return parts.length > 0 ? oneLine(parts.join(', ')) : null
}

/** The note beside an answer, in one line; `null` for none. */
export function noteText(question: AskedQuestion, responses: Readonly<Responses>): string | null {
  const notes = responseTo(responses, question)?.notes?.trim()
  return notes ? oneLine(notes) : null
}

type Said = Pick<PageAnswer, 'status' | 'questions' | 'responses' | 'reason' | 'asksBack'>

/**
 * What an answer says, and whether it declines or asks back: `Blue`, `Declined: not today`.
 *
 * @param more what it allows beyond its call
 */
export const saidText = (answer: Said, more?: string): string =>
  [
    answer.status === 'declined' && (answer.asksBack ? 'Asked back' : 'Declined'),
    sentText(answer),
    more && `also allowed: ${printableLine(more)}`,
  ]
    .filter(Boolean)
    .join(': ')

/** What an answer says: an answer, how many there are, why somebody declines, or what they ask back. */
export function sentText({ status, questions, responses, reason = '' }: Said): string {
  if (status === 'declined') return oneLine(reason)
  const given = questions.flatMap((question) => answerText(question, responses) ?? [])
  return given.length === 1 ? (given[0] ?? '') : `${given.length} answers`
}

const oneLine = (text: string): string => printable(printableLine(text)).trim()
