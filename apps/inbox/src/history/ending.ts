import { printable } from '@sandagent/core/internal'
import type { QuestionView } from '@sandagent/react'
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
  const { state, declined, answeredBy, settledAt, answeredAt } = question
  const at = answeredAt ?? settledAt
  const how = state === 'sent' && declined ? 'declined' : WORDS[state]
  const who = answeredBy === undefined ? '' : ` by ${answeredBy}`
  return at === undefined ? `${how}${who}` : `${how}${who}, ${agoOf(at, now)}`
}

/** What was said, in one line. */
export function answerIn({ questions, responses, reason }: QuestionView): string {
  const said = questions.flatMap(({ id, options = [] }) => {
    const response = responses[id]
    if (!response || 'skipped' in response) return []
    const labels = response.selected.map(
      (value) => options.find((option) => (option.value ?? option.label) === value)?.label ?? value,
    )
    return [...labels, response.freeText ?? '', response.notes ?? '']
  })
  return printable([...said, reason ?? ''].filter((text) => text !== '').join(', '))
}
