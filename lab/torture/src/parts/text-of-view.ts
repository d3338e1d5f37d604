import type { QuestionView } from '@sandagent/core'

/** The answer that a view or a request holds: its text, or the reason of a refusal. */
export function textOfView({
  responses,
  reason,
}: {
  responses: QuestionView['responses']
  reason?: string | undefined
}): string | null {
  const response = responses.q
  return (response && 'freeText' in response ? response.freeText : undefined) ?? reason ?? null
}
