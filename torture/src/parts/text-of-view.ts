import type { QuestionView } from '@sandagent/core'

/** The answer that a view shows: its text, or the reason of a refusal. */
export function textOfView({ responses, reason }: Pick<QuestionView, 'responses' | 'reason'>): string | null {
  const response = responses.q
  return (response && 'freeText' in response ? response.freeText : undefined) ?? reason ?? null
}
