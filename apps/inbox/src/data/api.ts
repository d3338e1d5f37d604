import type { InboxQuestion } from '@sandagent/sdk/inbox'

const API = '/api/inbox'

export const QUESTIONS_URL = `${API}/questions`

/** Replies to `POST` with a link that signs in another browser, or `null` if no other machine reaches the server. */
export const LINK_URL = '/api/link'

export const historyUrl = (cursor?: string): string =>
  `${API}/history?limit=50${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`

/** Where the form of a sandbox's questions sends its answers. */
export const answerUrl = (sandboxId: string): string =>
  `${API}/answer?sandbox=${encodeURIComponent(sandboxId)}`

/** Where the holder of an answer link reads its question. */
export const linkedQuestionUrl = ({ sandboxId, toolCallId }: QuestionKey): string =>
  `${answerUrl(sandboxId)}&toolCallId=${encodeURIComponent(toolCallId)}`

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

/** What a person reads who opens an answer link that does not count. */
const LINK_WORDS: Readonly<Record<string, string>> = {
  LINK_USED: 'This question has its answer. A link answers once.',
  LINK_EXPIRED: 'This link is too old. Ask for a new one.',
  LINK_INVALID: 'This link does not count. Perhaps a part of it is missing, or the question has changed.',
}

/** An answer link does not count, or no longer. */
export class LinkError extends Error {}

/** The JSON at a URL. @throws Error with words for people; LinkError */
export async function fetchJson<T>(url: string, init: RequestInit): Promise<T> {
  const response = await fetch(url, init)
  const body = await response.json()
  if (response.ok) return body
  const { code, message } = body.error ?? {}
  if (LINK_WORDS[code] !== undefined) throw new LinkError(LINK_WORDS[code])
  throw new Error(message ?? `The server replied with ${response.status}`)
}
