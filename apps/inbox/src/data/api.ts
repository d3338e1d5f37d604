import type { InboxQuestion } from '@sandagent/sdk/inbox'

const API = '/api/inbox'

export const QUESTIONS_URL = `${API}/questions`

export const historyUrl = (cursor?: string): string =>
  `${API}/history?limit=50${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`

/** Where the form of a sandbox's questions sends its answers. */
export const answerUrl = (sandboxId: string): string =>
  `${API}/answer?sandbox=${encodeURIComponent(sandboxId)}`

export const questionUrl = ({ sandboxId, toolCallId }: QuestionKey): string =>
  `${API}/question?sandbox=${encodeURIComponent(sandboxId)}&toolCallId=${encodeURIComponent(toolCallId)}`

/** What names a question: ids of calls are only unique within a sandbox. */
export interface QuestionKey {
  sandboxId: string
  toolCallId: string
}

/** A question's name as one text, for maps and addresses. */
export const keyOf = ({ sandboxId, question }: InboxQuestion): string => textOf({ sandboxId, ...question })

const textOf = ({ sandboxId, toolCallId }: QuestionKey): string => JSON.stringify([sandboxId, toolCallId])

/** The question that a text of `keyOf` names. */
export function parseKey(key: string): QuestionKey | null {
  try {
    const [sandboxId, toolCallId] = JSON.parse(key)
    return { sandboxId: String(sandboxId), toolCallId: String(toolCallId) }
  } catch {
    return null
  }
}

/** The JSON at a URL. @throws Error with the words of the server */
export async function fetchJson<T>(url: string, signal: AbortSignal): Promise<T> {
  const response = await fetch(url, { signal })
  const body = await response.json()
  if (response.ok) return body
  throw new Error(body.error?.message ?? `The server replied with ${response.status}`)
}
