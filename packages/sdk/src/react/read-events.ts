/**
 * Reads a stream of server-sent events and yields the data of each. Comments and other fields are passed over.
 * The stream is let go when the reading ends, however it ends.
 *
 * @param onBytes called whenever something arrived, comments too: a sign of life
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onBytes: () => void,
): AsyncGenerator<string> {
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
      yield* events.map(dataOf).filter((data) => data !== '')
    }
  } finally {
    // A stream that broke refuses to be cancelled, and needs it no more.
    reader.cancel().catch(() => {})
  }
}

const dataOf = (event: string): string =>
  event
    .split(/\r?\n/)
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length).replace(/^ /, ''))
    .join('\n')
