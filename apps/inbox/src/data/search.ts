import { searchedText } from '@sandagent/core/internal'
import type { InboxQuestion, InboxRun } from '@sandagent/inbox'

/** Whether all words are somewhere in a run or in a question. */
export function matches(entry: InboxQuestion | InboxRun, words: readonly string[]): boolean {
  if (words.length === 0) return true
  const text = texts.get(entry) ?? textOf(entry)
  texts.set(entry, text)
  return words.every((word) => text.includes(word))
}

const texts = new WeakMap<object, string>()

const textOf = (entry: InboxQuestion | InboxRun): string =>
  'run' in entry
    ? JSON.stringify(entry).toLowerCase()
    : searchedText(entry.question, entry.sandboxName, entry.runId)
