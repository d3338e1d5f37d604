import type { InboxQuestion, InboxRun } from '@sandagent/inbox'

/** Whether all words are somewhere in a run, or in a question: what is asked, by whom, where, and what was answered. */
export function matches(entry: InboxQuestion | InboxRun, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = textOf(entry)
  return words.every((word) => text.includes(word))
}

export const wordsOf = (search: string): string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

const texts = new WeakMap<object, string>()

function textOf(entry: InboxQuestion | InboxRun): string {
  const known = texts.get(entry)
  if (known !== undefined) return known
  const text = JSON.stringify('run' in entry ? entry : saidIn(entry)).toLowerCase()
  texts.set(entry, text)
  return text
}

function saidIn({ sandboxName, runId, question }: InboxQuestion): unknown[] {
  const { questions, subject, asker, toolCallId, responses, answeredBy, reason } = question
  return [sandboxName, runId, toolCallId, questions, subject, asker, responses, answeredBy, reason]
}
