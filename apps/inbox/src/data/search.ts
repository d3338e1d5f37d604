import type { InboxQuestion } from '@sandagent/sdk/inbox'

/** Whether all words are somewhere in a question: what is asked, by whom, where, and what was answered. */
export function matches(entry: InboxQuestion, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = textOf(entry)
  return words.every((word) => text.includes(word))
}

export const wordsOf = (search: string): string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

const texts = new WeakMap<InboxQuestion, string>()

function textOf(entry: InboxQuestion): string {
  const known = texts.get(entry)
  if (known !== undefined) return known
  const { sandboxName, runId, question } = entry
  const { questions, subject, asker, toolCallId, responses, answeredBy, reason } = question
  const all = [sandboxName, runId, toolCallId, questions, subject, asker, responses, answeredBy, reason]
  const text = JSON.stringify(all).toLowerCase()
  texts.set(entry, text)
  return text
}
