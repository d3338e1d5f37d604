/** A server-sent event; a comment has neither a name nor data. */
export interface ServerEvent {
  event: string
  data: string
}

/**
 * Reads a stream of server-sent events, comments among them: they are signs of life. The stream is let go when the
 * reading ends, however it ends.
 *
 * @param onBytes called whenever something arrived
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let text = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      text += decoder.decode(value, { stream: true })
      const events = text.split(/\r?\n\r?\n/)
      text = events.pop() ?? ''
      yield* events.map((lines) => ({ event: fieldOf(lines, 'event:'), data: fieldOf(lines, 'data:') }))
    }
  } finally {
    // A stream that broke refuses to be declined, and needs it no more.
    reader.cancel().catch(() => {})
  }
}

const fieldOf = (event: string, name: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length).replace(/^ /, ''))
    .join('\n')
