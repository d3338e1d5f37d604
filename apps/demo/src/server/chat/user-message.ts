import { randomUUID } from 'node:crypto'

/** A message of the user. */
export interface UserMessage {
  /** The id that the page gave it. */
  id: string
  text: string
}

/** The last message in a chat request of the AI SDK, if it is a text of the user. */
export function userMessageIn(body: unknown): UserMessage | null {
  const { messages } = fieldsOf(body)
  const { id, role, parts } = fieldsOf(Array.isArray(messages) ? messages.at(-1) : undefined)
  if (role !== 'user' || !Array.isArray(parts)) return null
  const texts = parts.map((part) => fieldsOf(part).text).filter((text) => typeof text === 'string')
  if (texts.length === 0) return null
  return { id: typeof id === 'string' ? id : randomUUID(), text: texts.join('\n') }
}

/** The id of the chat in a request of the AI SDK. */
export function chatIdIn(body: unknown): string {
  const { id } = fieldsOf(body)
  return typeof id === 'string' ? id : ''
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
