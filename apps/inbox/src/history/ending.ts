import { printable, typedText } from '@sandagent/core/internal'
import type { PageAnswer, QuestionView } from '@sandagent/react'
import { agoOf } from '../time.ts'

const WORDS: Readonly<Record<QuestionView['state'], string>> = {
  open: 'waits',
  sent: 'answered',
  answered: 'answered',
  partial: 'went on with a draft',
  declined: 'declined',
  'timed-out': 'timed out',
  aborted: 'withdrawn',
}

/** How and when a question ended, and by whom. */
export function endingOf(question: QuestionView, now: number): string {
  const { state, declined, asksBack, answeredBy, settledAt, answeredAt } = question
  const at = answeredAt ?? settledAt
  const how = asksBack ? 'asked back' : state === 'sent' && declined ? 'declined' : WORDS[state]
  const who = answeredBy === undefined ? '' : ` by ${answeredBy}`
  return at === undefined ? `${how}${who}` : `${how}${who}, ${agoOf(at, now)}`
}

/** What an answer says, in one line: the one that a question has, or another one. */
export function answerIn(
  { questions, ...view }: QuestionView,
  { responses, reason }: Pick<PageAnswer, 'responses' | 'reason'> = view,
): string {
  const said = questions.flatMap((question) => {
    const { id, options = [] } = question
    const response = responses[id]
    if (!response || 'skipped' in response) return []
    const { freeText = '' } = response
    const labels = response.selected.map(
      (value) => options.find((option) => (option.value ?? option.label) === value)?.label ?? value,
    )
    const changed = response.input === undefined ? '' : 'with changes'
    const files = (response.files ?? []).map(({ name }) => name)
    const secret = response.sealed ? 'given' : ''
    return [
      ...labels,
      changed,
      typedText(question, freeText) ?? freeText,
      ...files,
      secret,
      response.notes ?? '',
    ]
  })
  return printable([...said, reason ?? ''].filter((text) => text !== '').join(', '))
}
