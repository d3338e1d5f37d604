import type { InboxQuestion, InboxRun } from '@sandagent/inbox'

const API = '/api/inbox'

export const QUESTIONS_URL = `${API}/questions`

/** Replies to `POST` with a link that signs in another browser, or `null` if no other machine reaches the server. */
export const LINK_URL = '/api/link'

/** The longest search that the server takes, in characters. */
const MAX_SEARCH_CHARS = 200

export const historyUrl = (search: string, cursor?: string): string => {
  const words = search.trim().slice(0, MAX_SEARCH_CHARS)
  const parts = {
    limit: '50',
    ...(words !== '' && { search: words }),
    ...(cursor !== undefined && { cursor }),
  }
  return `${API}/history?${new URLSearchParams(parts)}`
}

export const STATISTICS_URL = `${API}/statistics`

/** Where the form of a sandbox's questions sends its answers. */
export const answerUrl = (sandboxId: string): string =>
  `${API}/answer?sandbox=${encodeURIComponent(sandboxId)}`

/** Where the holder of an answer link reads its question. */
export const linkedQuestionUrl = (name: EntryName): string => urlOf('answer', 'toolCallId', name)

export const questionUrl = (name: EntryName): string => urlOf('question', 'toolCallId', name)

/** The permissions for more than one call, and where one is taken back. */
export const GRANTS_URL = `${API}/grants`
export const REVOKE_URL = `${API}/revoke`

/** The passkeys of the person, and what registers and removes them. */
export const passkeysUrl = (route: string): string => `/api/passkeys/${route}`
export const PASSKEYS_URL = passkeysUrl('list')

export const RUNS_URL = `${API}/runs`

export const runUrl = (name: EntryName): string => urlOf('run', 'runId', name)

const urlOf = (route: string, parameter: string, { sandboxId, id }: EntryName): string =>
  `${API}/${route}?sandbox=${encodeURIComponent(sandboxId)}&${parameter}=${encodeURIComponent(id)}`

/** What names a question or a run: ids are only unique within a sandbox. */
export interface EntryName {
  sandboxId: string
  id: string
}

/** The name of a question or a run as one text, for maps and addresses. */
export function keyOf(entry: InboxQuestion | InboxRun): string {
  const { sandboxId } = entry
  const key =
    keys.get(entry) ?? textOf({ sandboxId, id: 'run' in entry ? entry.run.runId : entry.question.toolCallId })
  keys.set(entry, key)
  return key
}

/** Each decision looks at thousands of entries again. */
const keys = new WeakMap<object, string>()

export const textOf = ({ sandboxId, id }: EntryName): string => JSON.stringify([sandboxId, id])

/** The name in a text of `keyOf`. */
export function parseKey(key: string): EntryName | null {
  try {
    const [sandboxId, id] = JSON.parse(key)
    return { sandboxId: String(sandboxId), id: String(id) }
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
