/** The text of the last message in a chat request of the AI SDK, when it is the user's; else `null`. */
export function promptOf(body: unknown): string | null {
  const { messages } = fieldsOf(body)
  const message = fieldsOf(Array.isArray(messages) ? messages.at(-1) : undefined)
  if (message.role !== 'user' || !Array.isArray(message.parts)) return null
  const texts = message.parts.map((part) => fieldsOf(part).text).filter((text) => typeof text === 'string')
  return texts.length > 0 ? texts.join('\n') : null
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
