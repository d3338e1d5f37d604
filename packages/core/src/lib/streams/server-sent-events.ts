import { platform } from '../platform.ts'

/** What is used of a `ReadableStream` of bytes. */
export interface ByteStream {
  getReader(): {
    read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>
    cancel(): Promise<void>
  }
}

/** A server-sent event. A comment has neither a name nor data. */
export interface ServerEvent {
  event: string
  data: string
}

/**
 * Reads a stream of server-sent events. It yields comments too: they are signs of life. However the reading ends, it
 * cancels the stream.
 *
 * @param onBytes called whenever bytes arrive
 */
export async function* readServerEvents(body: ByteStream, onBytes: () => void): AsyncGenerator<ServerEvent> {
  const reader = body.getReader()
  const decoder = new platform.TextDecoder()
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
    // Canceling a broken stream rejects, and is not needed.
    reader.cancel().catch(() => {})
  }
}

const fieldOf = (event: string, name: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith(name))
    .map((line) => line.slice(name.length).replace(/^ /, ''))
    .join('\n')
