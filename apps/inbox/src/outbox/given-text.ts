import { type AskError, isQuestionView, printable, visible } from '@sandagent/core/internal'
import type { PageAnswer } from '@sandagent/react'
import type { WaitingEntry } from '../data/inbox-state.ts'

/** An answer, and the question that it is for. */
export interface Given {
  entry: WaitingEntry
  answer: PageAnswer
}

/** Where answers go, and what they say: `blog: Blue`. */
export function givenText(given: readonly Given[]): string {
  const [first] = given
  if (!first) return ''
  const said = saidIn(first)
  if (given.length === 1) return `${visible(first.entry.sandboxName)}: ${said}`
  const places = new Set(given.map(({ entry }) => visible(entry.sandboxName)))
  return `${[...places].join(', ')}: ${said}, ${given.length} calls`
}

/** Which answers were refused, and why. */
export function wentWrongText(lost: readonly { given: Given; error?: AskError }[]): string {
  const reasons = new Set(lost.map(({ error }) => (error ? reasonOf(error) : '')))
  return `Not sent to ${givenText(lost.map(({ given }) => given))}. ${[...reasons].join(' ')}`
}

function reasonOf({ code, message, facts: { question } }: AskError): string {
  const isOwn = code === 'CONFLICT' && isQuestionView(question) && question.byOther === false
  return isOwn ? 'You have given another answer meanwhile.' : (REASONS[code] ?? message)
}

const REASONS: Readonly<Record<string, string>> = {
  CHANGED: 'The question has changed meanwhile.',
  CONFLICT: 'Somebody else has answered meanwhile.',
  GONE: 'Its time is over.',
  UNAUTHENTICATED: 'You are signed out. Open a new link of sandagent serve.',
}

function saidIn({ entry: { question }, answer }: Given): string {
  const { status, responses } = answer
  if (status === 'declined')
    return answer.asksBack ? `You asked: ${printable(answer.reason ?? '')}` : 'Declined'
  const scope = question.scopes?.find(({ id }) => id === answer.scope)
  if (scope) return printable(scope.covers)
  const said = question.questions.flatMap(({ id, options = [] }) => {
    const response = responses[id]
    if (!response || 'skipped' in response) return []
    const labels = response.selected.map(
      (value) => options.find((option) => (option.value ?? option.label) === value)?.label ?? value,
    )
    const changed = response.input === undefined ? [] : ['with your changes']
    return [...labels, ...changed, response.freeText ?? '']
  })
  return printable(said.filter((text) => text !== '').join(', '))
}
