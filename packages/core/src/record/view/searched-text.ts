import type { QuestionView } from './question-view.ts'

/** The words of a search, in small letters. */
export const searchWords = (search: string): string[] =>
  search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')

/**
 * What a search for a question looks at, in small letters: what is asked, by whom, and what was answered.
 *
 * @param place where it is asked
 */
export function searchedText(view: QuestionView, ...place: readonly (string | undefined)[]): string {
  const { questions, subject, asker, toolCallId, responses, answeredBy, reason } = view
  const said = [place, toolCallId, questions, subject, asker, responses, answeredBy, reason]
  return JSON.stringify(said).toLowerCase()
}
